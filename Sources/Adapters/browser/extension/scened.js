// Registers the windows of this browser profile with scened. A window shows the pages of its tabs, and takes any link.
//
// Runs in Chromium's worker and in Firefox's event page. Both live as long as the port to the native host. When the
// port closes, scened forgets the windows. The extension then describes all windows over the next port.

const HOST = 'io.scened.browser'
const NONE = { on: true, name: '', sites: [], sitesOnly: false, never: [] }
// The most that a window tells scened; scened accepts 2,048 identifiers of 4 KiB, and messages of 256 KiB.
const MOST = { pages: 1500, bytes: 200 * 1024, address: 4096 }

let options = NONE
let port
let delay = 200
// The host's first message, which names the browser's desktop entry; undefined until the message arrives.
let ready
// Id of a window → the description that was last sent to the host.
const said = new Map()
// The ids of unfinished work: deliveries whose link is not on the screen yet, and open requests without a window.
const pending = new Set()
// Closed tabs and windows. They are remembered, because Firefox still lists them for a moment.
const gone = new Set()
// The id of the window that had the focus last. It may be a window that scened does not know yet.
let focused
// Id of a new window → the open request that the window answers.
const requests = new Map()
// The windows that were opened for a link and have not shown it yet.
const blank = new Set()
// Number of an unanswered question → its kind ("explain" or "send"), and the function that receives the answer.
const answers = new Map()
let lastNumber = 0
let timer
// The state of the connection to scened, for the options page.
const status = {}

// Returns an address without user and fragment, as scened compares it; undefined for anything but a web page or file.
// If `withRoute` is true, keeps a fragment that is the route of an application in the page. Others may carry tokens.
function address(text, withRoute = false) {
  if (!URL.canParse(text ?? '')) return undefined
  const url = new URL(text)
  if (!['http:', 'https:', 'file:'].includes(url.protocol)) return undefined
  url.username = url.password = ''
  if (!withRoute || !/^#[/!]/.test(url.hash)) url.hash = ''
  const plain = url.protocol === 'file:' ? /[\w.~!$&'()*+,;=:@-]/ : /[\w.~-]/
  return url.href.replace(/%[0-9a-f]{2}/gi, (triplet) => {
    const character = String.fromCharCode(parseInt(triplet.slice(1), 16))
    return plain.test(character) ? character : triplet.toUpperCase()
  })
}

const addressOf = (tab) => address(tab.url || tab.pendingUrl)

function isShown(address) {
  if (!address || options.sitesOnly) return false
  const host = new URL(address).hostname
  return !options.never.some((name) => host === name || host.endsWith('.' + name))
}

// Returns the windows in which people open tabs. Popups, installed applications and developer tools are left out.
async function normalWindows() {
  const windows = await chrome.windows.getAll({ populate: true, windowTypes: ['normal'] })
  const listed = new Set(windows.flatMap(({ id, tabs }) => ['w' + id, ...tabs.map((tab) => 't' + tab.id)]))
  for (const id of gone) if (!listed.has(id)) gone.delete(id)
  for (const window of windows) window.tabs = window.tabs.filter((tab) => !gone.has('t' + tab.id))
  return windows.filter((window) => !gone.has('w' + window.id))
}

// Returns the addresses that a window shows. The address of the tab that was used last comes first.
function pages(window) {
  const found = new Set()
  let bytes = 0
  const lastUse = (tab) => (tab.active ? Infinity : tab.lastAccessed ?? 0)
  for (const tab of window.tabs.toSorted((a, b) => lastUse(b) - lastUse(a))) {
    const page = address(tab.url || tab.pendingUrl, true)
    if (!isShown(page) || found.has(page)) continue
    if (page.length > MOST.address || found.size === MOST.pages || bytes + page.length > MOST.bytes) {
      status.omitted += 1
    } else {
      bytes += page.length
      found.add(page)
    }
  }
  return [...found]
}

const say = (object) => port?.postMessage(object)

// Returns the browser's desktop id. 'scenectl handler set --profile' makes an entry of its own for a named profile.
function application() {
  if (!options.name) return ready.application
  const bytes = [...new TextEncoder().encode(options.name)]
  const spelled = bytes.map((byte) => {
    const character = String.fromCharCode(byte)
    return /[A-Za-z0-9]/.test(character) ? character : '_' + byte.toString(16).padStart(2, '0').toUpperCase()
  })
  return `scened-profile-${ready.application}-${spelled.join('')}`
}

// Describes the windows to scened 50 ms after a change, so that changes in quick succession cause one description.
function changed() {
  if (ready) timer ??= setTimeout(describe, 50)
}

async function describe() {
  timer = undefined
  const windows = await normalWindows()
  if (!ready) return
  // The browser's answer may be older than the focus, even if it comes after the event.
  const front = focused ?? windows.find((window) => window.focused)?.id
  status.omitted = 0
  const closed = new Set(said.keys())
  let comes
  for (const window of windows) {
    const key = String(window.id)
    closed.delete(key)
    const active = window.tabs.find((tab) => tab.active)
    const scene = {
      scene: key,
      application: application(),
      declaration: options.name ? 'window' : undefined,
      title: active && isShown(addressOf(active)) ? active.title?.slice(0, 200) : undefined,
      showing: pages(window),
      allowing: ['*'],
      request: requests.get(window.id),
    }
    const text = JSON.stringify(scene)
    if (said.get(key) === text) continue
    if (window.id === front && !said.has(key)) comes = key
    said.set(key, text)
    say(scene)
  }
  if (comes) say({ active: comes })
  for (const key of closed) said.delete(key) && say({ close: key })
}

// Sends a question to scened and returns the answer. Returns undefined if scened gives no answer.
function ask(word, object) {
  return new Promise((resolve) => {
    lastNumber += 1
    answers.set(lastNumber, { word, resolve })
    say({ [word]: lastNumber, ...object })
    if (!port) answer(lastNumber, undefined)
  })
}

function answer(number, object) {
  answers.get(number)?.resolve(object)
  answers.delete(number)
}

// Shows a link in the tab that has the page, else in a blank or new tab of the window `windowId`. Returns the id of the
// window that shows the link. If `isWanted` returns false, shows nothing and returns undefined.
async function show(link, windowId, isWanted = () => true) {
  const page = address(link)
  const tabs = (await normalWindows()).flatMap((window) => window.tabs).filter((tab) => addressOf(tab) === page)
  const place = address(link, true)
  const rank = (tab) => 2 * (address(tab.url || tab.pendingUrl, true) === place) + (tab.windowId === windowId)
  tabs.sort((a, b) => rank(b) - rank(a) || b.lastAccessed - a.lastAccessed)
  if (!isWanted()) return undefined
  let [tab] = tabs
  if (tab) {
    const target = new URL(tab.url || tab.pendingUrl)
    const { hash } = new URL(link)
    const moves = hash && hash !== target.hash
    target.hash = hash
    await chrome.tabs.update(tab.id, moves ? { active: true, url: target.href } : { active: true })
  } else if (blank.delete(windowId)) {
    const [first] = await chrome.tabs.query({ windowId })
    tab = await chrome.tabs.update(first.id, { active: true, url: link })
  } else {
    tab = await chrome.tabs.create({ windowId, url: link, active: true })
  }
  const window = await chrome.windows.get(tab.windowId)
  const state = window.state === 'minimized' ? { state: 'normal' } : {}
  await chrome.windows.update(tab.windowId, { focused: true, ...state })
  return tab.windowId
}

async function take({ deliver: id, scene, event, activationToken, sender }) {
  pending.add(id)
  const settle = (object) => pending.delete(id) && say(object)
  const link = event?.url ?? event?.activity?.webpageURL
  if (!address(link)) return settle({ declined: id, reason: 'The browser opens only pages of the web and files.' })
  try {
    const windowId = await show(link, Number(scene), () => pending.has(id))
    if (windowId === undefined) return
    // As soon as the link is taken, the user may go on to another window.
    const before = focused
    settle({ taken: id })
    const program = sender?.applicationId ?? sender?.name ?? 'another program'
    await chrome.action.setTitle({ title: `The last link came from ${program}: ${address(link).slice(0, 100)}` })
    await raise(windowId, before, activationToken)
  } catch (error) {
    settle({ declined: id, reason: error.message })
  }
}

// Raises a window without the focus, unless the user has left the window `before` for another. The first try asks
// scened, and gives scened the activation token. With a token, the later tries ask the browser, because Firefox can
// raise the window as soon as scened has passed the token on.
async function raise(windowId, before, activationToken) {
  // A window that has the focus would take it back from the window to which the user goes in the meantime.
  if ((await chrome.windows.get(windowId)).focused) return
  for (let tries = 0; tries < (activationToken ? 10 : 1); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    const window = await chrome.windows.get(windowId, { populate: true })
    const isLeft = focused !== before && focused !== windowId
    if (window.focused || isLeft || !said.has(String(windowId))) return
    const title = window.tabs.find((tab) => tab.active)?.title
    if (tries === 0) say({ raise: String(windowId), title, activationToken })
    else await chrome.windows.update(windowId, { focused: true })
  }
}

// Opens a window for a link that no open window of this application takes.
async function open({ request }) {
  pending.add(request)
  try {
    const { id } = await chrome.windows.create({ url: 'about:blank' })
    if (!pending.delete(request)) return await chrome.windows.remove(id)
    requests.set(id, request)
    blank.add(id)
    changed()
  } catch (error) {
    say({ declined: request, reason: error.message })
  }
}

// Forgets a delivery or a request. The window that was opened for the request is closed if it is still blank.
async function withdraw(withdrawn) {
  pending.delete(withdrawn)
  const id = [...requests.keys()].find((id) => requests.get(id) === withdrawn)
  if (!blank.delete(id)) return
  const tabs = await chrome.tabs.query({ windowId: id })
  if (tabs.every((tab) => (tab.url || tab.pendingUrl) === 'about:blank')) await chrome.windows.remove(id)
}

// Handles a click in the context menu. scened routes the link or page if a window outside this profile shows or prefers
// it, or if another application claims it or was chosen for it. Otherwise, or if nothing takes a link, opens it here.
async function send(link, tab, isPage) {
  if (!address(link)) return
  const from = [String(tab.windowId)].find((key) => said.has(key))
  const route = ready && (await ask('explain', { event: { url: link } }))
  // `hasIt`: a window outside this profile shows or prefers the link. `route.scene` is set only for windows of this
  // profile. Comparing ids of applications would not work, because all profiles without a name have the same id.
  const hasIt = ['showing', 'preferring'].includes(route?.rule) && route.scene === undefined
  const claimsIt = ['hostClaim', 'userHost', 'userSender'].includes(route?.because)
  if (hasIt || (claimsIt && route.application !== application())) {
    const sent = await ask('send', { event: { url: link }, from })
    if (['acknowledged', 'launched'].includes(sent?.outcome)) return
  }
  if (!isPage) await show(link, tab.windowId)
}

function receive(object) {
  if (object.deliver) take(object)
  else if (object.request) open(object)
  else if (object.withdrawn) withdraw(object.withdrawn)
  else if (object.sent) answer(object.sent, object)
  else if (object.explained) answer(object.explained, object)
  else if (object.state) status.state = object.state
  else if (object.opened) requests.delete(Number(object.opened))
  else if (object.closed) {
    said.delete(object.closed)
    status.error = object.reason
  } else if (object.error) {
    status.error = object.error
    for (const [number, { word }] of answers) if (word === object.in) answer(number, undefined)
  } else if (object.ready) begin(object)
}

function begin(object) {
  status.version = object.ready
  if (object.adapter !== 1) return retry('scenectl and this extension do not fit: update the older one.')
  ready = object
  delay = 200
  delete status.problem
  if (options.name) {
    const scenes = [{ declarationId: 'window', title: 'Window' }]
    say({ declare: application(), scenes, claims: { hosts: options.sites } })
  }
  describe()
}

function disconnect() {
  port?.disconnect()
  port = ready = undefined
  for (const key of Object.keys(status)) delete status[key]
  for (const number of answers.keys()) answer(number, undefined)
  for (const set of [said, pending, requests, gone]) set.clear()
}

// Restarts the host after a delay. The options page shows `problem`.
function retry(problem) {
  disconnect()
  status.problem = problem
  setTimeout(connect, delay)
  delay = Math.min(delay * 2, 30_000)
}

async function connect() {
  options = { ...NONE, ...(await chrome.storage.local.get(NONE)) }
  if (port || !options.on) return
  port = chrome.runtime.connectNative(HOST)
  port.onMessage.addListener(receive)
  port.onDisconnect.addListener((ended) => {
    const reason = ended.error?.message ?? chrome.runtime.lastError?.message ?? 'it has ended'
    const problem = `The host of this extension does not run (${reason}): are scened and scened-browser installed?`
    if (ended === port) retry(problem)
  })
}

for (const event of [chrome.runtime.onStartup, chrome.runtime.onInstalled]) event.addListener(connect)
for (const name of ['onCreated', 'onUpdated', 'onActivated', 'onAttached', 'onDetached', 'onReplaced']) {
  chrome.tabs[name]?.addListener(changed)
}
chrome.windows.onCreated.addListener(changed)
for (const [kind, { onRemoved }] of [['t', chrome.tabs], ['w', chrome.windows]]) {
  onRemoved.addListener((id) => {
    gone.add(kind + id)
    changed()
  })
}
chrome.windows.onFocusChanged.addListener((id) => {
  if (id === chrome.windows.WINDOW_ID_NONE) return
  focused = id
  if (said.has(String(id))) say({ active: String(id) })
})
chrome.action.onClicked.addListener(() => chrome.runtime.openOptionsPage())
const MENU = { id: 'send', title: 'Open in t&he Right Window', contexts: ['link', 'page'] }
chrome.contextMenus.removeAll().then(() => chrome.contextMenus.create(MENU))
chrome.contextMenus.onClicked.addListener((info, tab) => send(info.linkUrl ?? info.pageUrl, tab, !info.linkUrl))
chrome.runtime.onMessage.addListener((_, __, respond) => {
  respond({ ...status, application: ready && application(), browser: ready?.application })
})
chrome.storage.onChanged.addListener(() => {
  disconnect()
  connect()
})
connect()
