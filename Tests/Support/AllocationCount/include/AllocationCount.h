/*
 * Counts the heap allocations of a program that loads it with $LD_PRELOAD: the calls of malloc and its relatives from
 * all libraries, including Swift's runtime.
 *
 * The count is an unsigned 64-bit number in the byte order of the machine, in the file that $ALLOCATION_COUNT names.
 * The file has to exist and have room for it. This header declares nothing, because <stdlib.h> declares the functions.
 */
#pragma once
