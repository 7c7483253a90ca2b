/* Tells the thread sanitizer of Synchronization.Mutex. Nothing has to be called: it is enough to be linked. */
