// The object on the session bus by which 'scenectl raise' brings a window to the front, and 'scenectl open' sees that
// Shift is held. GNOME Shell's own name leads to it, so it is there only while the extension is on.

import Gio from 'gi://Gio';
import Meta from 'gi://Meta';

const INTERFACE = `<node><interface name="io.scened.Windows">
  <method name="Raise">
    <arg direction="in" type="au" name="processes"/>
    <arg direction="in" type="s" name="title"/>
    <arg direction="out" type="u" name="process"/>
  </method>
  <method name="HeldKeys">
    <arg direction="out" type="u" name="modifiers"/>
  </method>
</interface></node>`;

// Takes a window of the first process that has one, preferably with the title, even if a later process has it. Of
// several windows, the one that was used last comes first.
function find(processes, title) {
  const windows = global.display.get_tab_list(Meta.TabList.NORMAL_ALL, null);
  for (const wanted of [title, '']) {
    for (const process of processes) {
      const window = windows.find(each => each.get_pid() === process && (each.title ?? '').includes(wanted));
      if (window) return window;
    }
  }
  return null;
}

export class Windows {
  constructor(activate) {
    this.object = Gio.DBusExportedObject.wrapJSObject(INTERFACE, {
      Raise(processes, title) {
        const window = find(processes, title);
        if (window) activate(window, global.display.get_current_time_roundtrip());
        // 0 is no process.
        return window?.get_pid() ?? 0;
      },
      HeldKeys() {
        const [, , modifiers] = global.get_pointer();
        return modifiers;
      },
    });
    this.object.export(Gio.DBus.session, '/io/scened/Windows');
  }

  close() {
    this.object.unexport();
  }
}
