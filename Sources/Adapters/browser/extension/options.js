// The options page. When an option changes, scened.js reconnects.

const form = document.querySelector('form')
const NONE = { on: true, name: '', sites: [], sitesOnly: false, never: [] }

// Returns the hosts and paths that an option lists, without schemes, because people paste whole addresses.
const lines = (text) =>
  text.split(/\s+/).map((line) => line.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '')).filter(Boolean)

async function load() {
  const options = await chrome.storage.local.get(NONE)
  for (const name of ['on', 'sitesOnly']) form[name].checked = options[name]
  form.elements.name.value = options.name
  for (const name of ['sites', 'never']) form[name].value = options[name].join('\n')
}

// Returns the line about the connection to scened. If scened does not run, the line names the remedy.
function sentence(status) {
  if (!form.on.checked) return 'Off.'
  if (status.problem) return status.problem
  if (status.state === 'reconnecting') {
    return `scenectl ${status.version} finds no scened: run "systemctl --user start scened.socket".`
  }
  if (status.state !== 'connected') return 'Not yet connected.'
  const connected = `Connected to scened with scenectl ${status.version}, as "${status.application}".`
  const omitted = `${status.omitted} pages are not shown: they are too many, or their addresses too long.`
  return [connected, status.omitted && omitted, status.error].filter(Boolean).join(' ')
}

async function showStatus() {
  const status = (await chrome.runtime.sendMessage('status').catch(() => undefined)) ?? {}
  document.querySelector('#status').textContent = sentence(status)
  const [sites, name] = [lines(form.sites.value), form.elements.name.value.trim()]
  const command = document.querySelector('#command')
  command.hidden = !name || !sites.length || !status.browser
  const words = ['handler', 'set', ...sites, status.browser, '--profile', name]
  const quoted = words.map((word) => (/^[\w./-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
  command.querySelector('code').textContent = ['scenectl', ...quoted].join(' ')
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const [sites, name] = [lines(form.sites.value), form.elements.name.value.trim()]
  const output = document.querySelector('output')
  if (sites.length && !name) return (output.value = 'Sites need the name of the profile.')
  const [on, sitesOnly] = [form.on.checked, form.sitesOnly.checked]
  await chrome.storage.local.set({ on, name, sites, sitesOnly, never: lines(form.never.value) })
  output.value = 'Saved.'
})
setInterval(showStatus, 500)
load().then(showStatus)
