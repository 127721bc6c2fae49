/** The 4 or 16 bytes of an IP address that `net.isIP` accepts. */
export function ipBytes(address: string): Buffer {
  return address.includes(':') ? ipv6Bytes(address) : Buffer.from(address.split('.').map(Number));
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const bytes = Buffer.alloc(16);
  Buffer.from(left).copy(bytes);
  Buffer.from(right).copy(bytes, 16 - right.length);
  return bytes;
}

function groups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
