;;; scened.el --- This editor as a window of scened  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "28.1"))

;;; Commentary:

;; The editor shows the files of its buffers to scened, and allows the files of its project.  Links to these files
;; then open in the editor.  The program `scenectl' is needed.  (setq scened-enabled nil) in the configuration keeps
;; the editor out of scened.

;;; Code:

(require 'subr-x)

(defgroup scened nil "Windows that get their links." :group 'external)

(defcustom scened-enabled t
  "Whether this editor is a window of scened; takes effect at the start."
  :type 'boolean)

(defconst scened--key "emacs")
(defvar scened--process nil "The program `scenectl adapter'; nil while it does not run.")
(defvar scened--rest "" "The beginning of a line that has not come to its end.")
(defvar scened--pending nil "Deliveries that are not on the screen yet.")
(defvar scened--timer nil)
(defvar scened--root nil "The project of the window.")

(defun scened--say (&rest object)
  "Send the plist OBJECT to the adapter as a JSON object."
  (when (process-live-p scened--process)
    (process-send-string scened--process (concat (json-serialize object) "\n"))))

(defun scened--coding ()
  "Return the coding system of file names, which need not be UTF-8."
  (or file-name-coding-system default-file-name-coding-system 'utf-8))

(defun scened--readable (text)
  "Return TEXT with U+FFFD for each byte that is not UTF-8, because JSON cannot have such bytes."
  (concat (mapcar (lambda (char) (if (or (> char #x10FFFF) (<= #xD800 char #xDFFF)) #xFFFD char)) text)))

(defun scened--path (object)
  "Return the path in the delivery OBJECT.
JSON cannot have a path that is not UTF-8, so that such a path is read from the URL."
  (let* ((path (plist-get object :path))
         (url (plist-get (plist-get object :event) :url))
         (bytes (cond (path (encode-coding-string path 'utf-8))
                      ((and url (string-match "\\`file://\\(/[^?#]*\\)" url))
                       (url-unhex-string (match-string 1 url) t)))))
    (and bytes (decode-coding-string bytes (scened--coding)))))

(defun scened--encoded (path)
  "Return PATH as GIO writes it in URLs."
  (mapconcat (lambda (byte)
               (if (string-match-p "[A-Za-z0-9_.~!$&'()*+,=:@/-]" (string byte)) (string byte)
                 (format "%%%02X" byte)))
             (encode-coding-string (expand-file-name path) (scened--coding))
             ""))

(defun scened--files ()
  "Return the local files and directories of buffers, the last used ones first."
  (let (files)
    (dolist (buffer (buffer-list) (nreverse files))
      (let ((file (or (buffer-local-value 'buffer-file-name buffer)
                      (with-current-buffer buffer
                        (and (derived-mode-p 'dired-mode) (directory-file-name default-directory))))))
        (when (and file (not (file-remote-p file)) (< (length file) 1000)) (push file files))))))

(defun scened--has (directory name)
  "Whether DIRECTORY has a file NAME."
  (file-exists-p (expand-file-name name directory)))

(defun scened--is-of-git (directory)
  "Whether DIRECTORY is git's directory of a worktree, a submodule or a bare repository."
  (and (scened--has directory "HEAD") (or (scened--has directory "commondir") (scened--has directory "objects"))
       (not (string-suffix-p "/.git/" directory))))

(defun scened--project (directory)
  "Return DIRECTORY or the nearest directory above it that has .git; nil if this is the home or /.
A message of git, in its directory of a worktree, does not change the project."
  (let ((root (and directory (not (file-remote-p directory))
                   (locate-dominating-file
                    directory (lambda (above) (or (scened--has above ".git") (scened--is-of-git above)))))))
    (cond ((not root) nil)
          ((not (scened--has root ".git")) scened--root)
          ((not (member (expand-file-name root) (list "/" (expand-file-name "~/")))) (expand-file-name root)))))

(defun scened--is-seen ()
  "Whether a person sees a frame; a daemon has a frame that nobody sees."
  (and (not noninteractive)
       (seq-some (lambda (frame) (not (equal (terminal-name frame) "initial_terminal"))) (frame-list))))

(defun scened--describe ()
  "Describe the whole scene to scenectl, which tells the router the differences."
  (setq scened--timer nil)
  (if (not (scened--is-seen))
      (scened--say :close scened--key)
    ;; scened accepts at most 2,048 identifiers for a window.  2000 files leave room for the project's directory.
    (let* ((files (seq-take (scened--files) 2000))
           (buffer (window-buffer (selected-window)))
           (root (setq scened--root
                       (or (scened--project (buffer-local-value 'default-directory buffer))
                           (and files (scened--project (file-name-directory (car files))))))))
      (scened--say :scene scened--key :application "emacs"
                   :title (scened--readable
                           (concat (if root (file-name-nondirectory (directory-file-name root)) (buffer-name buffer))
                                   " - Emacs"))
                   :showing (vconcat (mapcar (lambda (file) (concat "file://" (scened--encoded file))) files))
                   :allowing (if root (vector (scened--encoded root)) [])))))

(defun scened--describe-soon (&rest _)
  "Describe the scene soon: of many changes at once, the last state counts."
  (unless scened--timer (setq scened--timer (run-at-time 0.02 nil #'scened--describe))))

(defun scened--settle (id &optional reason)
  "Report that the delivery ID is taken, or that it is declined for a REASON."
  (setq scened--pending (delete id scened--pending))
  (if reason (scened--say :declined id :reason (scened--readable reason)) (scened--say :taken id)))

(defun scened--show (path line column)
  "Show the file at PATH in the window that has it, else in the selected one.
The cursor goes to LINE and COLUMN."
  (when (bound-and-true-p isearch-mode) (isearch-done))
  ;; Emacs must ask no question, because perhaps nobody looks at the screen.
  (let* ((large-file-warning-threshold nil) (enable-local-variables :safe) (enable-local-eval nil)
         (vc-follow-symlinks t)
         (buffer (condition-case problem
                     (find-file-noselect path t)
                   ;; An error of a hook leaves the buffer.
                   (error (message "%s" (error-message-string problem))
                          (or (find-buffer-visiting path) (signal (car problem) (cdr problem))))))
         (window (get-buffer-window buffer 'visible)))
    (if window
        (progn (select-frame-set-input-focus (window-frame window)) (select-window window))
      (pop-to-buffer-same-window buffer))
    (with-current-buffer buffer
      (when line
        (goto-char (point-min))
        (forward-line (1- line))
        (when column (forward-char (min (1- column) (- (line-end-position) (point)))))))
    (redisplay t)))

(defun scened--take (object)
  "Take the delivery OBJECT when its file is on the screen, or decline it at once."
  (let ((id (plist-get object :deliver)) (path (scened--path object)))
    (cond
     ((not (member id scened--pending)) nil)
     ((or (active-minibuffer-window) (> (recursion-depth) 0)) (scened--settle id "The editor waits for an answer."))
     ;; To open a path such as /ssh:host:file, Emacs would connect to another machine.
     ((or (not path) (file-remote-p path)) (scened--settle id "This is no file of this machine."))
     ((stringp (file-locked-p path)) (scened--settle id "Another program edits the file."))
     (t (condition-case problem
            (progn
              (scened--show path (plist-get object :line) (plist-get object :column))
              (scened--describe)
              (scened--settle id)
              (if-let ((token (plist-get object :activationToken)))
                  (scened--say :raise scened--key :process (emacs-pid) :activationToken token)
                (scened--say :raise scened--key :process (emacs-pid))))
          ((error quit) (scened--settle id (error-message-string problem))))))))

(defun scened--receive (process output)
  "Carry out the lines of OUTPUT of PROCESS."
  (setq scened--rest (concat scened--rest output))
  (let ((lines (split-string scened--rest "\n")))
    (setq scened--rest (car (last lines)))
    (dolist (line (butlast lines))
      (let ((object (ignore-errors (json-parse-string line :object-type 'plist))))
        (cond
         ;; If a prompt waits, `scened--take' declines the delivery immediately.  Else the delivery is taken when
         ;; the running command has ended.
         ((plist-get object :deliver)
          (push (plist-get object :deliver) scened--pending)
          (if (active-minibuffer-window) (scened--take object) (run-at-time 0 nil #'scened--take object)))
         ((plist-get object :withdrawn) 
          (setq scened--pending (delete (plist-get object :withdrawn) scened--pending)))
         ((plist-get object :closed) (message "scened: %s" (plist-get object :reason)))))))
  process)

(defun scened--note-end (process _event)
  "Start the adapter again if PROCESS was killed."
  (setq scened--pending nil)
  ;; An adapter may crash at each start.  The pause keeps the restarts from using up a processor.
  (when (eq (process-status process) 'signal) (run-at-time 1 nil #'scened-start)))

(defun scened-start ()
  "Make this editor a window of scened."
  (when (and scened-enabled (not noninteractive) (not (process-live-p scened--process)) (executable-find "scenectl"))
    (setq scened--rest ""
          scened--process (make-process :name "scened" :command '("scenectl" "adapter") :connection-type 'pipe
                                        :coding 'utf-8-unix :noquery t :filter #'scened--receive
                                        :sentinel #'scened--note-end
                                        :stderr (get-buffer-create " *scened*")))
    (set-process-query-on-exit-flag (get-buffer-process " *scened*") nil)
    ;; scened may have started this editor to open a window for a link.  The variable then names the open request.
    ;; Programs that the editor starts must not inherit the variable, because they would answer the request.
    (setenv "SCENED_OPEN_REQUEST" nil)
    (dolist (hook '(find-file-hook kill-buffer-hook dired-mode-hook after-save-hook window-buffer-change-functions
                                   server-after-make-frame-hook delete-frame-functions suspend-resume-hook))
      (add-hook hook #'scened--describe-soon))
    (add-hook 'suspend-hook (lambda () (scened--say :close scened--key)))
    (add-function :after after-focus-change-function #'scened--note-focus)
    (scened--describe)
    (when (scened--is-seen) (scened--say :active scened--key))))

(defun scened--note-focus ()
  "Say that the user works in this editor, if a frame has the focus."
  (when (seq-some (lambda (frame) (eq (frame-focus-state frame) t)) (frame-list))
    (scened--say :active scened--key)))

(provide 'scened)
;;; scened.el ends here
