// GNOME Shell up to 44 loads extensions as scripts, which reach modules only by import().

const {activateWindow} = imports.ui.main;

let windows;

function init() {}

function enable() {
  const directory = imports.misc.extensionUtils.getCurrentExtension().dir;
  windows = import(directory.get_child('windows.js').get_uri()).then(({Windows}) => new Windows(activateWindow));
}

function disable() {
  windows.then(object => object.close());
}
