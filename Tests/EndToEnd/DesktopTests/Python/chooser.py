# Stands for the dialog in which the portal asks the user for an application. This program chooses the first
# application at once, and prints each request.
from gi.repository import Gio, GLib

INTERFACE = """
<node>
  <interface name="org.freedesktop.impl.portal.AppChooser">
    <method name="ChooseApplication">
      <arg type="o" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
      <arg type="as" direction="in"/><arg type="a{sv}" direction="in"/>
      <arg type="u" direction="out"/><arg type="a{sv}" direction="out"/>
    </method>
    <method name="UpdateChoices"><arg type="o" direction="in"/><arg type="as" direction="in"/></method>
  </interface>
</node>
"""


def call(connection, sender, path, interface, method, parameters, invocation):
    if method == "UpdateChoices":
        return invocation.return_value(None)
    _, _, _, choices, options = parameters.unpack()
    print("asked for", options.get("uri"), "among", sorted(choices), flush=True)
    results = {"choice": GLib.Variant("s", sorted(choices)[0])}
    return invocation.return_value(GLib.Variant("(ua{sv})", (0, results)))


def acquired(connection, name):
    interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
    connection.register_object("/org/freedesktop/portal/desktop", interface, call, None, None)


Gio.bus_own_name(
    Gio.BusType.SESSION,
    "org.freedesktop.impl.portal.desktop.test",
    Gio.BusNameOwnerFlags.NONE,
    acquired,
    lambda connection, name: print("ready", flush=True),
    None,
)
GLib.MainLoop().run()
