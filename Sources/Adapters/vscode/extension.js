// Makes this window of VS Code, or of an editor that is built from it, a window of scened. The window shows the files
// of its tabs, and allows the files of its folders.
//
// The extension runs on the machine of the screen, also in a window of another machine (`extensionKind`). Each window
// has its own process of extensions, and so its own adapter.

const { spawn } = require('node:child_process')
const { realpath } = require('node:fs/promises')
const { createInterface } = require('node:readline')
const vscode = require('vscode')

const KEY = 'window'
// scened accepts 2,048 identifiers of 4 KiB for a window, and messages of 256 KiB.
const MOST = { files: 2000, bytes: 200 * 1024, address: 4096 }
// The name of the editor's command and of its desktop entry: 'code' for 'vscode', 'codium' for 'vscodium', 'cursor'.
const COMMAND = vscode.env.uriScheme.replace(/^vs/, '')

// The process 'scenectl adapter'; undefined while the adapter does not run.
let adapter
// The ids of deliveries whose file is not on the screen yet.
const pending = new Set()
let timer
let log
// Ends the wait for the focus; undefined while nothing waits.
let endWait

function say(object) {
  adapter?.stdin.write(JSON.stringify(object) + '\n')
}

// Returns the ssh host of another machine, by the name that ssh knows. Names with capitals, users or ports come as JSON
// in hexadecimal digits.
function hostOf(authority) {
  let name = authority.match(/^ssh-remote\+(.+)$/)?.[1] ?? ''
  if (name.startsWith('7b22')) name = JSON.parse(Buffer.from(name, 'hex').toString()).hostName
  return name.match(/^(?:[^@]*@)?([^\s:]*)/)[1].toLowerCase()
}

// Returns the file of this machine, or of an ssh host, that a document has; undefined for other documents. A new file
// is an untitled document with a path.
function fileOf({ scheme, authority, path }) {
  const isNew = scheme === 'untitled' && path.startsWith('/')
  if (scheme !== 'file' && scheme !== 'vscode-remote' && !isNew) return undefined
  const host = hostOf(authority)
  return host || scheme === 'file' || (isNew && !authority) ? { authority: host, path } : undefined
}

const isSame = (one, other) => one?.path === other.path && one.authority === other.authority

const urlOf = (file) => vscode.Uri.from({ scheme: 'file', ...file }).toString()

// Returns the documents of all tabs: texts, notebooks, pictures, and both sides of comparisons.
function documents() {
  return vscode.window.tabGroups.all.flatMap(({ tabs, viewColumn }) => tabs.flatMap(({ input = {} }) => {
    const names = ['uri', 'modified', 'original'].filter((name) => name in input)
    const viewType = input instanceof vscode.TabInputCustom ? input.viewType : undefined
    return names.map((name) => ({ uri: input[name], viewType, viewColumn }))
  }))
}

const folders = () => (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri)

// Describes the whole window to scenectl, which tells the router what has changed since the last description.
function describe() {
  let bytes = 0
  const shown = new Set(documents().map(({ uri }) => fileOf(uri)).filter(Boolean).map(urlOf))
  const showing = [...shown].filter((url) => url.length <= MOST.address && (bytes += url.length) <= MOST.bytes)
  const allowing = folders().map(fileOf).filter(Boolean).map((file) => urlOf(file).replace(/\/?$/, '/'))
  const name = vscode.workspace.name ?? vscode.window.tabGroups.activeTabGroup.activeTab?.label
  const title = [name, vscode.env.appName].filter(Boolean).join(' - ')
  say({ scene: KEY, application: COMMAND, title, showing: showing.slice(0, MOST.files), allowing })
}

// Describes the window 50 ms after a change, so that a series of changes causes one description.
function describeSoon() {
  timer ??= setTimeout(() => {
    timer = undefined
    describe()
  }, 50)
}

// Returns the document that a link names: one of a tab, under whichever name, else the file, which may be new.
async function documentOf({ path, event }) {
  const link = vscode.Uri.parse(event.url ?? 'none:')
  if (link.scheme !== 'file') throw new Error('This is no file.')
  // The adapter gives the path of a file of this machine, unless the path is not UTF-8.
  if (path === undefined && !link.authority) throw new Error('The editor cannot open a path that is not UTF-8.')
  const authority = path === undefined ? link.authority.toLowerCase() : ''
  const file = { authority, path: path ?? link.path }
  const open = documents()
  const shown = open.find(({ uri }) => isSame(fileOf(uri), file))
  if (shown) return shown
  if (file.authority) {
    const base = [...folders(), ...open.map(({ uri }) => uri)].find((uri) => fileOf(uri)?.authority === file.authority)
    if (!base) throw new Error('This window has no files of that machine.')
    return newOrOld(base.with({ path: file.path }))
  }
  const real = await realpath(path).catch(() => path)
  for (const document of open) {
    const other = fileOf(document.uri)
    if (other?.authority === '' && (await realpath(other.path).catch(() => undefined)) === real) return document
  }
  return newOrOld(vscode.Uri.file(path))
}

async function newOrOld(uri) {
  const typeOf = (uri) => vscode.workspace.fs.stat(uri).then(({ type }) => type, () => vscode.FileType.Unknown)
  const type = await typeOf(uri)
  if (type & vscode.FileType.Directory) throw new Error('A directory needs a window of its own.')
  if (type) return { uri }
  if (!(await typeOf(vscode.Uri.joinPath(uri, '..')))) throw new Error('Neither the file nor its directory exists.')
  return { uri: uri.with({ scheme: 'untitled' }) }
}

async function take(delivery) {
  const { deliver: id, line, column = 1, activationToken } = delivery
  pending.add(id)
  const settle = (object) => pending.delete(id) && say(object)
  try {
    const { uri, viewType, viewColumn } = await documentOf(delivery)
    if (!pending.has(id)) return
    const place = line === undefined ? undefined : new vscode.Position(line - 1, column - 1)
    const options = { preview: false, viewColumn, selection: place && new vscode.Range(place, place) }
    if (viewType) await vscode.commands.executeCommand('vscode.openWith', uri, viewType, options)
    else await vscode.commands.executeCommand('vscode.open', uri, options)
    describe()
    settle({ taken: id })
    await raise(activationToken)
  } catch (error) {
    if (pending.has(id)) settle({ declined: id, reason: error.message })
    else log.warn(error.message)
  }
}

// Raises the window by its title. A title that the user has changed may lead to no window, or to another window of the
// editor. Then the editor's command raises the window that has the folder.
async function raise(activationToken) {
  if (vscode.window.state.focused) return
  const separator = vscode.workspace.getConfiguration('window').get('titleSeparator', ' - ')
  const { name, workspaceFile } = vscode.workspace
  const { activeTab } = vscode.window.tabGroups.activeTabGroup
  const title = name ? separator + name + separator : (activeTab?.label ?? '') + separator
  // The windows belong to the first process of the editor, which has started this process.
  say({ raise: KEY, title, activationToken, process: process.ppid })
  await new Promise((resolve) => {
    endWait = resolve
    setTimeout(resolve, 500)
  })
  const isSaved = workspaceFile && workspaceFile.scheme !== 'untitled'
  const place = isSaved ? ['--file-uri', workspaceFile] : ['--folder-uri', folders()[0]]
  if (vscode.window.state.focused || !place[1]) return
  const token = activationToken && { XDG_ACTIVATION_TOKEN: activationToken, DESKTOP_STARTUP_ID: activationToken }
  spawn(COMMAND, place.map(String), { stdio: 'ignore', env: { ...process.env, ...token } })
    .on('error', (error) => log.warn(`The window cannot be raised: ${error.message}.`))
}

function receive(object) {
  if (object.deliver) take(object)
  else if (object.withdrawn) pending.delete(object.withdrawn)
  else if (object.closed) log.warn(object.reason)
  else if (object.error) {
    log.warn(object.error)
    if (object.in === 'raise') endWait?.()
  } else if (object.ready && object.adapter !== 1) {
    stop()
    vscode.window.showWarningMessage('scenectl and the extension of scened do not fit: update the older one.')
  }
}

function start() {
  const started = spawn('scenectl', ['adapter'], { stdio: ['pipe', 'pipe', 'ignore'] })
  adapter = started
  // What cannot be written any more is said again by the next adapter.
  started.stdin.on('error', () => {})
  started.on('error', (error) => {
    adapter = undefined
    vscode.window.showWarningMessage(`Links do not come to this window, as scenectl does not run: ${error.message}.`)
  })
  started.on('exit', (code) => {
    if (adapter !== started) return
    adapter = undefined
    pending.clear()
    // A killed adapter is started again. The pause keeps adapters that crash from using up a processor.
    if (code === null) setTimeout(start, 1000)
    else log.warn(`scenectl adapter has ended with status ${code}.`)
  })
  createInterface(started.stdout).on('line', (line) => receive(JSON.parse(line)))
  describe()
  if (vscode.window.state.focused) say({ active: KEY })
}

function stop() {
  const stopped = adapter
  adapter = undefined
  stopped?.stdin.end()
}

exports.activate = (context) => {
  const { tabGroups } = vscode.window
  log = vscode.window.createOutputChannel('scened', { log: true })
  context.subscriptions.push(
    log,
    tabGroups.onDidChangeTabs(describeSoon),
    tabGroups.onDidChangeTabGroups(describeSoon),
    vscode.workspace.onDidChangeWorkspaceFolders(describeSoon),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!focused) return
      endWait?.()
      say({ active: KEY })
    }),
    { dispose: stop }
  )
  start()
}
