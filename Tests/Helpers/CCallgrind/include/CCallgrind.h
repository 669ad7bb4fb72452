/// Tells callgrind to begin counting at 0. Has no effect outside callgrind.
void callgrind_zero(void);

/// Tells callgrind to write the counts to the next file.
void callgrind_dump(void);
