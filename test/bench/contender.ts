import { readFileSync } from 'node:fs';
import type { ApiServerProcess } from '../servers/api-server-process.ts';
import { Client } from './client.ts';

export const contenderNames = ['ours', 'reference'] as const;
export type ContenderName = (typeof contenderNames)[number];

/** One of the two servers that are compared. */
export class Contender {
  readonly name: ContenderName;
  readonly server: ApiServerProcess;

  constructor(name: ContenderName, server: ApiServerProcess) {
    this.name = name;
    this.server = server;
  }

  connect(): Promise<Client> {
    return Client.connect(this.server.url, this.server.credentials);
  }

  /** So many connections, used by one closure, closed after it. The server is done with their handshakes before. */
  async withClients<T>(count: number, use: (clients: readonly Client[]) => Promise<T>): Promise<T> {
    const clients = await Promise.all(Array.from({ length: count }, () => this.connect()));
    try {
      await Promise.all(clients.map((client) => client.settled()));
      return await use(clients);
    } finally {
      for (const client of clients) client.close();
    }
  }

  /** Milliseconds of CPU that the server has used so far, user and system, all threads. Linux counts it in steps of 10 ms. */
  cpuMs(): number {
    const text = readFileSync(`/proc/${this.server.pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may contain blanks.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  residentMegabytes(): number {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.server.pid}/status`, 'utf8'));
    return Number(line?.[1]) / 1024;
  }
}
