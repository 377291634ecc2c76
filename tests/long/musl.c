/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For tests/long/portable.sh: what libraries that were built with glibc's checks ask of the C
 * library, and musl does not have. The checks are left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int __fprintf_chk(FILE *file, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);
int __snprintf_chk(char *text, size_t n, int flag, size_t room, const char *format, ...);
int __vsnprintf_chk(char *text, size_t n, int flag, size_t room, const char *format, va_list args);
void *__memcpy_chk(void *to, const void *from, size_t n, size_t room);
void __longjmp_chk(sigjmp_buf where, int value);

int __vsnprintf_chk(char *text, size_t n, int flag, size_t room, const char *format, va_list args)
{
	(void)flag, (void)room;
	return vsnprintf(text, n, format, args);
}

int __snprintf_chk(char *text, size_t n, int flag, size_t room, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const int length = __vsnprintf_chk(text, n, flag, room, format, args);
	va_end(args);
	return length;
}

int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
	va_list args;
	(void)flag;
	va_start(args, format);
	const int length = vfprintf(file, format, args);
	va_end(args);
	return length;
}

int __printf_chk(int flag, const char *format, ...)
{
	va_list args;
	(void)flag;
	va_start(args, format);
	const int length = vprintf(format, args);
	va_end(args);
	return length;
}

void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	(void)room;
	return memcpy(to, from, n);
}

void __longjmp_chk(sigjmp_buf where, int value)
{
	siglongjmp(where, value);
}
