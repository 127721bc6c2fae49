import { isIP, isIPv4 } from 'node:net';

/** What `net.isIP` says, whose expression for IPv6 takes 5 ms to compile: a start does not wait for that. */
export function isIpAddress(text: string): boolean {
  if (!text.includes(':')) return isIPv4(text);
  if (text.includes('%')) return isIP(text) !== 0;
  return /^[0-9A-Fa-f:.]+$/.test(text) && URL.canParse(`http://[${text}]`);
}
