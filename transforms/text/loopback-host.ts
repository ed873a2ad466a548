/**
 * Whether a host is this machine: `localhost`, `127.0.0.1` and the other addresses that begin with 127, and `::1`, in brackets or without. Plain HTTP
 * with a secret may go only there.
 *
 * Source: RFC 1122, section 3.2.1.3 (127.0.0.0/8); RFC 4291, section 2.5.3 (::1); RFC 6761, section 6.3 (localhost).
 */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/i.test(host);
}
