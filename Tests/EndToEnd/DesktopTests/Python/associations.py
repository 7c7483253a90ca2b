# Prints GIO's answer for each MIME type in the arguments: the recommended applications, all applications, and the
# default.
import json
import sys

from gi.repository import Gio


def ids(applications):
    return [application.get_id() for application in applications]


for name in sys.argv[1:]:
    default = Gio.AppInfo.get_default_for_type(name, False)
    line = {
        "type": name,
        "recommended": ids(Gio.AppInfo.get_recommended_for_type(name)),
        "all": ids(Gio.AppInfo.get_all_for_type(name)),
        "default": default and default.get_id(),
    }
    print(json.dumps(line))
