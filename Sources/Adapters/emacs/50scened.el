;; Makes this editor a window of scened when Emacs starts; see scened.el.
(when (and (not noninteractive) (locate-library "scened"))
  (autoload 'scened-start "scened" "Make this editor a window of scened." t)
  (add-hook 'emacs-startup-hook #'scened-start))
