/* Tells the thread sanitizer of Synchronization.Mutex. Nothing has to be called: linking is enough. */
