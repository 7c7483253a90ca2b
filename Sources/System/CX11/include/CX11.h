/*
 * What X11 tells every program of the keyboard.
 */
#pragma once

/*
 * The modifier keys and mouse buttons that are held, as in X.h; 0 if no X server can be asked.
 *
 * libX11 is loaded at the first use, because machines without a desktop lack it.
 */
unsigned int scened_x11_modifiers(void);
