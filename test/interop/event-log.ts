import { request } from 'node:https';
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiServerProcess } from '../servers/api-server-process.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string; readonly resourceVersion: string } };
}

/** What a watch on one server tells. */
export class EventLog implements Disposable {
  readonly events: WatchEvent[] = [];
  readonly #request: ClientRequest;

  private constructor(asked: ClientRequest) {
    this.#request = asked;
  }

  static open(server: ApiServerProcess, collection: string): Promise<EventLog> {
    return new Promise((resolve, reject) => {
      const asked = request(`${server.url}${collection}?watch=true`, { ...server.credentials, agent: false }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`watch ${collection}: ${response.statusCode}`));
        const log = new EventLog(asked);
        let rest = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          const lines = (rest + part).split('\n');
          rest = lines.pop() as string;
          for (const line of lines) log.events.push(JSON.parse(line) as WatchEvent);
        });
        // The owner ends it.
        response.on('error', () => {});
        resolve(log);
      });
      asked.on('error', reject);
      asked.end();
    });
  }

  /** Waits for an event of an object at a version, at most `ms`. */
  async find(type: string, name: string, resourceVersion: string | undefined, ms = 5000): Promise<WatchEvent | undefined> {
    const matches = (event: WatchEvent): boolean =>
      event.type === type &&
      event.object.metadata.name === name &&
      (resourceVersion === undefined || event.object.metadata.resourceVersion === resourceVersion);
    for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(10)) {
      const found = this.events.find(matches);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    this.#request.destroy();
  }
}
