#pragma once

/// Opens a socket on which the kernel reports changed routes, addresses and links of this machine; nothing is sent on
/// it.
///
/// Reads do not block. Returns a descriptor that is closed on exec, or -1 with errno.
int open_route_changes(void);
