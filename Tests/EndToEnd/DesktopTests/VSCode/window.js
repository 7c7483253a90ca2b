// Stands for the process that runs the extensions of one window of VS Code. Started by code.py.
//
//   window.js SCHEME URI SOCKET
//
// The module 'vscode' has the names that the extension uses, with the behaviour that is documented, as in
// src/vscode-dts/vscode.d.ts of microsoft/vscode at 6ed5c5b25f01. Any other name ends the process. A line of standard
// input says whether the window has the focus. Each line of standard output is the window's title. The text of a
// connection to SOCKET is evaluated here, and its value answered.

const fs = require('node:fs')
const Module = require('node:module')
const net = require('node:net')
const path = require('node:path')

const [scheme, place, socket] = process.argv.slice(2)

// Returns the object with names that can only be read, and only if they exist. Promises look for 'then' by themselves.
function strict(name, object) {
  return new Proxy(object, {
    get(target, key) {
      if (typeof key === 'string' && key !== 'then' && !(key in target)) {
        console.error(`vscode.d.ts has no ${name}.${key}, or this stand-in lacks it.`)
        process.exit(1)
      }
      const value = target[key]
      return typeof value === 'function' && !value.prototype ? value.bind(target) : value
    },
    set(_, key) {
      console.error(`${name}.${String(key)} is read-only.`)
      process.exit(1)
    },
  })
}

class Uri {
  constructor({ scheme, authority = '', path = '', query = '', fragment = '' }) {
    if (authority && path && !path.startsWith('/')) throw new Error('[UriError]: the path does not start with a slash')
    Object.assign(this, { scheme, authority, path, query, fragment })
    return strict('Uri', this)
  }
  static from(parts) { return new Uri(parts) }
  static file(path) { return new Uri({ scheme: 'file', path }) }
  static parse(text) {
    const [, scheme, authority = '', path, query, fragment] =
      text.match(/^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/)
    const plain = (part = '') => part.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
      try { return decodeURIComponent(bytes) } catch { return bytes }
    })
    return new Uri({ scheme: scheme ?? 'file', authority: plain(authority), path: plain(path), query, fragment })
  }
  static joinPath(uri, ...names) { return uri.with({ path: path.posix.join(uri.path, ...names) }) }
  with(change) { return new Uri({ ...this, ...change }) }
  get fsPath() { return this.path }
  toString() {
    const encoded = (part) => part.replace(/[^A-Za-z0-9\-._~/]+/g, (characters) => encodeURIComponent(characters)
      .replace(/[!'()*]/g, (character) => '%' + character.charCodeAt(0).toString(16).toUpperCase()))
    const start = this.authority || this.scheme === 'file' ? '//' + encoded(this.authority.toLowerCase()) : ''
    return `${this.scheme}:${start}${encoded(this.path)}`
  }
}

class Position {
  constructor(line, character) {
    if (!(line >= 0 && character >= 0)) throw new Error('Illegal argument: line and character must be non-negative')
    Object.assign(this, { line, character })
    return strict('Position', this)
  }
}
class Range {
  constructor(start, end) {
    Object.assign(this, { start, end })
    return strict('Range', this)
  }
}

// The class of an input of tabs, with the names of its members.
const input = (name, ...members) => class {
  constructor(...values) {
    members.forEach((member, index) => { this[member] = values[index] })
    return strict(name, this)
  }
}
const TabInputText = input('TabInputText', 'uri')
const TabInputTextDiff = input('TabInputTextDiff', 'original', 'modified')
const TabInputCustom = input('TabInputCustom', 'uri', 'viewType')
const TabInputNotebook = input('TabInputNotebook', 'uri', 'notebookType')
const TabInputNotebookDiff = input('TabInputNotebookDiff', 'original', 'modified', 'notebookType')
const TabInputWebview = input('TabInputWebview', 'viewType')
const TabInputTerminal = input('TabInputTerminal')

class Event {
  listeners = new Set()
  // As in vscode.d.ts, an event is a function that takes a listener and returns what removes it.
  on = (listener) => {
    this.listeners.add(listener)
    return strict('Disposable', { dispose: () => this.listeners.delete(listener) })
  }
  fire(value) { for (const listener of this.listeners) listener(value) }
}

const events = { tabs: new Event(), groups: new Event(), folders: new Event(), state: new Event() }
const settings = { titleSeparator: ' - ' }
const warnings = []
const groups = [{ viewColumn: 1, tabs: [] }]
let focused = false
let folders = []
let workspaceFile
// The tab that is on the screen, with the place of the cursor.
let active

function setPlace(uri) {
  if (uri.path.endsWith('.code-workspace')) {
    workspaceFile = uri
    folders = JSON.parse(fs.readFileSync(uri.fsPath)).folders.map((folder) => Uri.file(folder.path))
  } else folders = [uri]
}

function workspaceName() {
  if (workspaceFile) return path.basename(workspaceFile.path, '.code-workspace') + ' (Workspace)'
  return folders[0] && path.basename(folders[0].path) + (folders[0].authority ? ' [SSH]' : '')
}

function title() {
  const appName = 'Visual Studio Code'
  const parts = settings.title ? [settings.title] : [active?.label, workspaceName(), appName].filter(Boolean)
  console.log(parts.join(settings.titleSeparator))
}

// Returns a tab. In a group, the tabs of files have different keys.
function newTab(input) {
  const [uri, viewType = ''] = ['uri', 'viewType'].map((name) => (input && name in input ? input[name] : undefined))
  const label = uri ? path.basename(uri.path) : 'Tab'
  return { key: uri && `${uri} ${viewType}`, label, input, uri, line: 1, column: 1 }
}

const activeGroup = () => groups.find(({ tabs }) => tabs.includes(active)) ?? groups[0]

// Opens a tab, or shows the one that is there. The title follows a moment later, as in VS Code.
function show(input, { viewColumn, selection } = {}) {
  const group = groups.find((group) => group.viewColumn === viewColumn) ?? activeGroup()
  const tab = newTab(input)
  active = group.tabs.find(({ key }) => key === tab.key)
  if (!active) {
    active = tab
    group.tabs.push(tab)
    events.tabs.fire({})
  }
  if (selection) Object.assign(active, { line: selection.start.line + 1, column: selection.start.character + 1 })
  setImmediate(title)
}

// Expressions of the tests.
const open = (name, group = 0) => {
  groups[group] ??= { viewColumn: group + 1, tabs: [] }
  show(new TabInputText(Uri.file(name)), { viewColumn: group + 1 })
}
const add = (input) => groups[0].tabs.push(newTab(input)) && events.tabs.fire({})
const close = (name) => {
  for (const group of groups) group.tabs = group.tabs.filter((tab) => tab.uri?.path !== name)
  events.tabs.fire({})
}
const at = () => (active ? `${active.uri} ${active.line}:${active.column}` : 'nothing')
const tabs = () => groups.map((group) => group.tabs.length).join(' ')

const tabOf = ({ label, input }) => strict('Tab', { label, input })
const groupOf = (group) => strict('TabGroup', {
  viewColumn: group.viewColumn,
  tabs: group.tabs.map(tabOf),
  activeTab: group.tabs.includes(active) ? tabOf(active) : group.tabs[0] && tabOf(group.tabs[0]),
})
const commands = {
  'vscode.open': (uri, options) => show(new TabInputText(uri), options),
  'vscode.openWith': (uri, viewType, options) => show(new TabInputCustom(uri, viewType), options),
}

const vscode = strict('vscode', {
  Uri, Position, Range, TabInputText, TabInputTextDiff, TabInputCustom, TabInputNotebook, TabInputNotebookDiff,
  TabInputWebview, TabInputTerminal,
  FileType: strict('FileType', { Unknown: 0, File: 1, Directory: 2 }),
  env: strict('env', { appName: 'Visual Studio Code', uriScheme: scheme }),
  commands: strict('commands', {
    executeCommand: async (name, ...values) => {
      if (!commands[name]) throw new Error(`command '${name}' not found`)
      return commands[name](...values)
    },
  }),
  window: strict('window', {
    get state() { return strict('WindowState', { focused }) },
    onDidChangeWindowState: events.state.on,
    tabGroups: strict('TabGroups', {
      get all() { return groups.map(groupOf) },
      get activeTabGroup() { return groupOf(activeGroup()) },
      onDidChangeTabs: events.tabs.on,
      onDidChangeTabGroups: events.groups.on,
    }),
    showWarningMessage: async (text) => void warnings.push(text),
    createOutputChannel: (_, options) => {
      if (!options?.log) throw new Error('Only a channel with the option log has levels.')
      return strict('LogOutputChannel', { warn: (text) => void warnings.push(text), dispose() {} })
    },
  }),
  workspace: strict('workspace', {
    get name() { return workspaceName() },
    get workspaceFile() { return workspaceFile },
    get workspaceFolders() {
      return folders.length ? folders.map((uri) => strict('WorkspaceFolder', { uri })) : undefined
    },
    onDidChangeWorkspaceFolders: events.folders.on,
    getConfiguration: (section) => strict('WorkspaceConfiguration', {
      get: (name, standard) => (section === 'window' && settings[name]) || standard,
    }),
    // The files of the other machine are those of this one.
    fs: strict('FileSystem', {
      stat: async (uri) => {
        const { File, Directory } = vscode.FileType
        return strict('FileStat', { type: (await fs.promises.stat(uri.path)).isDirectory() ? Directory : File })
      },
    }),
  }),
})

if (place) setPlace(Uri.parse(place))
const load = Module._load
Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest))
const adapters = path.resolve(__dirname, '../../../../Sources/Adapters/vscode')
const manifest = JSON.parse(fs.readFileSync(`${adapters}/package.json`))
// All folders are untrusted, and a window of another machine runs only extensions of the kind 'ui' here.
if (!manifest.capabilities.untrustedWorkspaces.supported || !manifest.extensionKind.includes('ui')) process.exit(1)
require(path.join(adapters, manifest.main)).activate(strict('ExtensionContext', { subscriptions: [] }))
title()

require('node:readline').createInterface(process.stdin).on('line', (line) => {
  focused = line === 'true'
  events.state.fire(vscode.window.state)
}).on('close', () => process.exit())
net.createServer({ allowHalfOpen: true }, (asker) => {
  let text = ''
  asker.on('data', (bytes) => { text += bytes }).on('end', () => asker.end(String(eval(text))))
}).listen(socket)
