-- Makes this editor a window of scened. The window shows the files of listed buffers, and allows the project's files.
--
-- Needs Neovim 0.7 and 'scenectl'. With "let g:scened = v:false" in the configuration, the editor takes only the file
-- for which the router has started the editor.

if vim.g.loaded_scened then return end
vim.g.loaded_scened = true

local api, loop, KEY = vim.api, vim.loop, 'nvim'
-- The pipe to 'scenectl adapter'; nil while the adapter does not run.
local input
-- Id of a delivery whose file is not on the screen yet → the delivery.
local pending = {}
-- The directory of the window's project.
local root
local is_off = vim.g.scened == false or vim.g.scened == 0
-- Debian's command 'vim' can be Neovim. The router then waits for a window of Vim's desktop entry.
local application = vim.env.SCENED_OPEN_REQUEST and vim.v.progname == 'vim' and 'vim' or 'nvim'

local function say(object)
  if input then input:try_write(vim.json.encode(object) .. '\n') end
end

-- Returns a path in the form that it has in a URL. The function escapes the same characters as GIO.
local function encoded(path)
  return (path:gsub("[^%w_.~!$&'()*+,=:@/-]", function(byte) return ('%%%02X'):format(byte:byte()) end))
end

-- Returns the path in a file URL. A path that is not UTF-8 comes only in the URL, because JSON cannot contain it.
local function raw_path(url)
  local path = url:match('^file://(/[^?#]*)')
  return path and path:gsub('%%(%x%x)', function(digits) return string.char(tonumber(digits, 16)) end)
end

-- Returns the nearest directory with '.git', from a path up; never '/' or the home. A message of git, in its directory
-- of a worktree, does not change the project.
local function project(path)
  local function has(name) return loop.fs_stat(path .. name) end
  while path and path ~= '' and path ~= '/' and path ~= loop.os_homedir() do
    if has('/.git') then return path end
    if has('/HEAD') and (has('/commondir') or has('/objects')) and not path:find('/%.git$') then return root end
    path = path:match('^(.*)/[^/]*$')
  end
end

local function files()
  local names = {}
  for _, buffer in ipairs(api.nvim_list_bufs()) do
    local name = api.nvim_buf_get_name(buffer)
    local is_file = vim.bo[buffer].buflisted and (vim.bo[buffer].buftype == '' or vim.fn.isdirectory(name) == 1)
    if is_file and name:sub(1, 1) == '/' then table.insert(names, name) end
  end
  return names
end

-- Describes the whole scene to scenectl, which tells the router what has changed since the last description.
local function describe()
  if is_off then return say({ scene = KEY, application = application }) end
  local showing = {}
  for _, name in ipairs(files()) do
    -- The numbers stay below two limits of scened: 2,048 identifiers for a window, and 4 KiB for an identifier.
    if #showing < 2000 and #name < 1000 then table.insert(showing, 'file://' .. encoded(name)) end
  end
  root = project(api.nvim_buf_get_name(0):match('^(/.*)/')) or project(loop.cwd())
  -- There is no current directory after it was removed.
  local directory = vim.fn.strtrans(vim.fn.fnamemodify(root or loop.cwd() or '', ':t'))
  say({
    scene = KEY, application = application, title = directory:gsub('.$', '%0 - ') .. 'Neovim',
    showing = #showing > 0 and showing or nil, allowing = root and { encoded(root) .. '/' } or nil,
  })
end

local timer = loop.new_timer()
-- Describes the scene 20 ms after the last change, so that a series of changes causes one description.
local function describe_soon() timer:start(20, 0, vim.schedule_wrap(describe)) end

local function settle(id, reason)
  if not pending[id] then return end
  pending[id] = nil
  say(reason and { declined = id, reason = reason } or { taken = id })
  if is_off then say({ close = KEY }) end
end

-- Shows a file in the window that already shows it, else in the current window, which is split if need be. Returns the
-- reason why the file cannot be shown, or nil. Then returns a hint for the user if a killed editor left a swap file.
local function show(path)
  for _, window in ipairs(api.nvim_list_wins()) do
    if api.nvim_buf_get_name(api.nvim_win_get_buf(window)) == path then
      local _, problem = pcall(api.nvim_set_current_win, window)
      -- After an error of an autocommand, the window is current all the same.
      if api.nvim_get_current_win() == window then return end
      return 'The file cannot be shown: ' .. tostring(problem)
    end
  end
  local names = {}
  for _, buffer in ipairs(api.nvim_list_bufs()) do names[buffer] = api.nvim_buf_get_name(buffer) end
  local locked, is_left = nil, false
  local swap = api.nvim_create_autocmd('SwapExists', {
    callback = function()
      -- A killed editor leaves its swap file behind. Such a swap file does not count as a lock.
      local owner = vim.fn.swapinfo(vim.v.swapname)
      is_left = owner.host == loop.os_gethostname()
        and (owner.pid == 0 or select(3, loop.kill(owner.pid, 0)) == 'ESRCH')
      locked = not is_left and api.nvim_get_current_buf()
      vim.v.swapchoice = is_left and 'o' or 'a'
    end,
  })
  local splits = vim.fn.win_gettype() ~= '' or vim.bo.modified and not vim.o.hidden
  -- A file's name may have a newline. execute() accepts it escaped, but vim.cmd() would end the command there.
  local ok, problem = pcall(vim.fn.execute, (splits and 'split ' or 'edit ') .. vim.fn.fnameescape(path))
  api.nvim_del_autocmd(swap)
  if locked then
    -- An empty editor has given its only buffer to the file.
    if (names[locked] or '') == '' then api.nvim_buf_delete(locked, { force = true }) end
    return 'Another program edits the file.'
  end
  if not ok then return 'The file cannot be shown: ' .. tostring(problem) end
  return nil, is_left and 'Read only: an editor was killed, see ":recover"'
end

local function go_to(line, column)
  if not line then return end
  line = math.min(line, api.nvim_buf_line_count(0))
  api.nvim_win_set_cursor(0, { line, math.max((column or 1) - 1, 0) })
  vim.cmd('normal! zvzz')
end

-- Waits for Normal mode, then shows the file of the event. In Insert mode, typed text would go into that file.
local function take(delivery, tries)
  local id = delivery.deliver
  if not pending[id] then return end
  if vim.fn.getcmdtype():find('[@-]') then return settle(id, 'The editor waits for an answer.') end
  if api.nvim_get_mode().mode ~= 'n' then
    if tries == 0 then return settle(id, 'The editor does not come to Normal mode.') end
    api.nvim_input('<C-\\><C-N>')
    return vim.defer_fn(function() take(delivery, tries - 1) end, 10)
  end
  local path = delivery.path or raw_path(delivery.event.url or '')
  if not path then return settle(id, 'This is no file of this machine.') end
  local problem, hint = show(path)
  if problem then return settle(id, problem) end
  pcall(go_to, delivery.line, delivery.column)
  vim.cmd('redraw')
  describe()
  settle(id)
  say({ raise = KEY, activationToken = delivery.activationToken, process = loop.os_getpid() })
  -- The hint comes last, because Neovim waits for a key if the editor is too narrow for the hint.
  if hint then vim.notify(hint) end
end

-- Handles a message from the adapter. Runs outside Neovim's main loop, which stands still while a prompt waits.
local function receive(object)
  if object.deliver then
    pending[object.deliver] = object
    local mode = api.nvim_get_mode()
    if mode.blocking and mode.mode == 'r' then
      api.nvim_input('<CR>')
    elseif mode.blocking and mode.mode:sub(1, 2) ~= 'no' and mode.mode ~= 'n' then
      return settle(object.deliver, 'The editor waits for an answer.')
    elseif mode.blocking then
      api.nvim_input('<C-\\><C-N>')
    end
    vim.schedule(function() take(object, 50) end)
  elseif object.withdrawn then
    pending[object.withdrawn] = nil
  elseif object.closed then
    vim.schedule(function() vim.notify('scened: ' .. object.reason, vim.log.levels.WARN) end)
  end
end

local function start()
  if input or #api.nvim_list_uis() == 0 or (is_off and not vim.env.SCENED_OPEN_REQUEST) then return end
  if vim.fn.executable('scenectl') == 0 then return end
  local stdin, stdout = loop.new_pipe(false), loop.new_pipe(false)
  -- Ctrl-Z stops the editor's group of processes. The adapter is kept out of this group, so that it can still tell
  -- scened that the window is closed.
  local options = { args = { 'adapter' }, stdio = { stdin, stdout, nil }, detached = true }
  local process = loop.spawn('scenectl', options, function(_, signal)
    input, pending = nil, {}
    -- Starts a killed adapter again. An adapter may crash at each start, and without the pause the restarts would use
    -- up a processor.
    if signal ~= 0 then vim.defer_fn(start, 1000) end
  end)
  if process then input = stdin else return end
  -- scened may have started this editor to open a window for a link. The variable then names the open request.
  -- Programs that the editor starts must not inherit the variable, because they would answer the request.
  vim.env.SCENED_OPEN_REQUEST = nil
  local rest = ''
  stdout:read_start(function(_, bytes)
    rest = rest .. (bytes or '')
    for line in rest:gmatch('([^\n]*)\n') do
      local ok, object = pcall(vim.json.decode, line)
      if ok then receive(object) end
    end
    rest = rest:match('[^\n]*$')
  end)
  describe()
  if is_off then return end
  local group = api.nvim_create_augroup('scened', {})
  local function on(events, callback) api.nvim_create_autocmd(events, { group = group, callback = callback }) end
  on({ 'BufAdd', 'BufDelete', 'BufFilePost', 'BufWritePost', 'BufEnter', 'DirChanged' }, describe_soon)
  on('FocusGained', function() say({ active = KEY }) end)
  on('VimSuspend', function() say({ close = KEY }) end)
  on('VimResume', describe)
  on('VimLeavePre', function() input = input and input:close() end)
  say({ active = KEY })
end

-- `start` needs the files of the command line, open at VimEnter, and a UI, which may come only at UIEnter.
api.nvim_create_autocmd({ 'VimEnter', 'UIEnter' }, { callback = vim.schedule_wrap(start) })
