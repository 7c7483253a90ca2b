" Makes this editor a window of scened. The window shows the files of listed buffers, and allows the project's files.
"
" Needs Vim 9 with jobs, which vim-tiny lacks, and 'scenectl'. With "let g:scened = v:false" in the configuration, the
" editor takes only the file for which the router has started the editor.

if !has('vim9script') || !has('job') || !has('timers') || exists('g:loaded_scened') | finish | endif
vim9script
g:loaded_scened = true

const KEY = 'vim'
var adapter: job
# Id of a delivery whose file is not on the screen yet → the delivery.
var pending: dict<dict<any>>
# The directory of the window's project.
var root = ''
var [is_off, is_left] = [false, false]
# `locked` is the buffer whose file another program edits, or 0.
var [locked, timer] = [0, 0]

def Say(object: dict<any>)
  if job_status(adapter) == 'run' | ch_sendraw(adapter, json_encode(object) .. "\n") | endif
enddef

# Returns a path in the form that it has in a URL. The function escapes the same characters as GIO.
def Encoded(path: string): string
  return substitute(path, '[^A-Za-z0-9_.~!$&''()*+,=:@/-]', (found) => range(len(found[0]))
    ->mapnew((_, at) => printf('%%%02X', char2nr(strpart(found[0], at, 1))))->join(''), 'g')
enddef

# Returns the path in a file URL, byte for byte: the path need not be UTF-8.
def Decoded(url: string): string
  const path = matchstr(url, '^file://\zs/[^?#]*')->escape('\"')->substitute('%\(\x\x\)', '\\x\1', 'g')
  return eval('"' .. path .. '"')
enddef

# Returns the nearest directory with '.git', from a path up; never '/' or the home. A message of git, in its directory
# of a worktree, does not change the project.
def Project(start: string): string
  var path = start
  while path != '' && path != '/' && path != $HOME
    if getftype(path .. '/.git') != '' | return path | endif
    const is_of_git = filereadable(path .. '/HEAD') && path !~ '/\.git$'
      && (filereadable(path .. '/commondir') || isdirectory(path .. '/objects'))
    if is_of_git | return root | endif
    path = matchstr(path, '^.*\ze/[^/]*$')
  endwhile
  return ''
enddef

def Name(buffer: number): string
  return bufname(buffer) == '' ? '' : substitute(fnamemodify(bufname(buffer), ':p'), '\(.\)/$', '\1', '')
enddef

def Files(): list<string>
  return range(1, bufnr('$'))->filter((_, buffer) => buflisted(buffer)
    && (getbufvar(buffer, '&buftype') == '' || isdirectory(Name(buffer))))
    ->mapnew((_, buffer) => Name(buffer))->filter((_, name) => name[0] == '/')
enddef

# Describes the whole scene to scenectl, which tells the router what has changed since the last description.
def Describe(_ = 0)
  root = Project(matchstr(Name(bufnr()), '^/.*\ze/')) ?? Project(getcwd())
  # The numbers stay below two limits of scened: 2,048 identifiers for a window, and 4 KiB for an identifier.
  const files = Files()->filter((_, name) => len(name) < 1000)[: 1999]
  Say({scene: KEY, application: 'vim'}->extend(is_off ? {} : {
    title: strtrans(fnamemodify(root ?? getcwd(), ':t'))->substitute('.$', '& - ', '') .. 'Vim',
    showing: files->mapnew((_, name) => 'file://' .. Encoded(name)), allowing: root == '' ? [] : [Encoded(root) .. '/'],
  }))
enddef

# Describes the scene 20 ms after the last change, so that a series of changes causes one description.
def DescribeSoon()
  timer_stop(timer)
  timer = timer_start(20, Describe)
enddef

def Settle(id: string, reason = '')
  remove(pending, id)
  Say(reason == '' ? {taken: id} : {declined: id, reason: reason})
  if is_off | Say({close: KEY}) | endif
enddef

# A killed editor leaves its swap file behind. Such a swap file does not count as a lock.
def NoteSwap()
  const owner = swapinfo(v:swapname)
  # The command line of a process that has just been killed is empty.
  const command = '/proc/' .. get(owner, 'pid', 0) .. '/cmdline'
  is_left = get(owner, 'host', '') == hostname()[: 38] && (!filereadable(command) || readfile(command) == [])
  locked = is_left ? 0 : bufnr()
  v:swapchoice = is_left ? 'o' : 'q'
enddef

# Shows a file in the window that already shows it, else in the current window, which is split if need be. Returns the
# reason why the file cannot be shown, or nothing. An error of an autocommand does not matter.
def Show(path: string): string
  [locked, is_left, v:errmsg] = [0, false, '']
  const file = resolve(path)->substitute('\(.\)/$', '\1', '')
  for window in getwininfo()
    if resolve(Name(window.bufnr)) == file
      silent! win_gotoid(window.winid)
      return win_getid() == window.winid ? '' : 'The file cannot be shown: ' .. v:errmsg
    endif
  endfor
  const splits = win_gettype() != '' || &buftype == 'terminal' || &modified && !&hidden
  const before = range(1, bufnr('$'))->mapnew((_, buffer) => bufname(buffer))
  autocmd scened SwapExists * NoteSwap()
  # A file's name may have a newline. execute() accepts it escaped, but :execute would end the command there.
  execute((splits ? 'split ' : 'edit ') .. fnameescape(path), 'silent!')
  autocmd! scened SwapExists
  if locked != 0
    # An empty editor has given its only buffer to the file, and made a new one.
    if get(before, locked - 1, '') == '' | execute('bwipeout ' .. locked) | endif
    return 'Another program edits the file.'
  endif
  return resolve(Name(bufnr())) == file ? '' : 'The file cannot be shown: ' .. v:errmsg
enddef

# Waits for Normal mode, without a part of a command ('mS'), then shows the file. Else typed keys would go into it.
def Take(delivery: dict<any>, tries: number)
  const id = delivery.deliver
  const path = Decoded(get(delivery.event, 'url', ''))
  const mode = mode(1)
  var problem = ''
  if !has_key(pending, id)
    return
  elseif path == ''
    problem = 'This is no file of this machine.'
  elseif mode =~ '^r[?m]' || mode == 'c' && getcmdtype() !~ '[:/?=]'
    problem = 'The editor waits for an answer.'
  elseif mode =~ '^nt\=$' && state('mS') == ''
    problem = Show(path)
  elseif tries == 0
    problem = 'The editor does not come to Normal mode.'
  else
    feedkeys(mode == 'r' ? "\<CR>" : "\<C-\>\<C-N>", 'nt')
    timer_start(10, (_) => Take(delivery, tries - 1))
    return
  endif
  if problem != '' | Settle(id, problem) | return | endif
  if has_key(delivery, 'line')
    cursor(delivery.line, get(delivery, 'column', 1))
    normal! zvzz
  endif
  # Without '!', the ruler keeps the old line.
  redraw!
  Describe()
  Settle(id)
  const token = has_key(delivery, 'activationToken') ? {activationToken: delivery.activationToken} : {}
  Say(extend({raise: KEY, process: getpid()}, token))
  # The hint comes last, because Vim waits for a key if the editor is too narrow for the hint.
  if is_left | echomsg 'Read only: an editor was killed, see ":recover"' | endif
enddef

def Receive(_: channel, line: string)
  const object = json_decode(line)
  if has_key(object, 'deliver')
    pending[object.deliver] = object
    Take(object, 50)
  elseif has_key(object, 'withdrawn') && has_key(pending, object.withdrawn)
    remove(pending, object.withdrawn)
  elseif has_key(object, 'closed')
    echomsg 'scened: ' .. object.reason
  endif
enddef

# Starts a killed adapter again. Without the pause, an adapter that crashes at each start would use up a processor.
def NoteEnd(ended: job, _: number)
  pending = {}
  if job_info(ended).termsig != '' | timer_start(1000, (_) => Start()) | endif
enddef

def Start()
  is_off = !get(g:, 'scened', true)
  const is_seen = has('gui_running') || has('ttyout') && mode(1) !~ '^c[ve]'
  if !is_seen || is_off && !exists('$SCENED_OPEN_REQUEST') || !executable('scenectl')
    return
  endif
  adapter = job_start(['scenectl', 'adapter'], {
    in_mode: 'raw', out_mode: 'nl', err_io: 'null', out_cb: Receive, exit_cb: NoteEnd,
  })
  # scened may have started this editor to open a window for a link. The variable then names the open request. Programs
  # that the editor starts must not inherit the variable, because they would answer the request.
  unlet! $SCENED_OPEN_REQUEST
  Describe()
  if is_off | return | endif
  augroup scened
    autocmd!
    autocmd BufAdd,BufDelete,BufFilePost,BufWritePost,BufEnter,DirChanged * DescribeSoon()
    autocmd FocusGained * Say({active: KEY})
    autocmd VimSuspend * Say({close: KEY})
    autocmd VimResume * Describe()
  augroup END
  Say({active: KEY})
enddef

# `Start` needs the files of the command line, which are open at VimEnter.
augroup scened
  autocmd VimEnter * Start()
augroup END
