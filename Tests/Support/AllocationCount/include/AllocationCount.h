/*
 * Loaded into a program by $LD_PRELOAD, counts what that allocates on the heap: calls of malloc and its relatives, from
 * whichever library they come, those of Swift's runtime included.
 *
 * The count is an unsigned 64-bit number in the byte order of the machine, kept in the file that $ALLOCATION_COUNT names.
 * The file has to be there, with room for it. Nothing is declared here: the functions are those of <stdlib.h>.
 */
#pragma once
