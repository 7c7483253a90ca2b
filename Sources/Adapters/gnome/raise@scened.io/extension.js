import * as Main from 'resource:///org/gnome/shell/ui/main.js';

import {Windows} from './windows.js';

export default class {
  enable() {
    this.windows = new Windows(Main.activateWindow);
  }

  disable() {
    this.windows.close();
  }
}
