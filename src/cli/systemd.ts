// Upstream: k8s.io/apiserver/pkg/server/genericapiserver.go#RunWithContext
import type { Logger } from '../base/log.ts';

/**
 * Says to systemd what has become of a service of `Type=notify`. Node has no datagram sockets of the file system: systemd's own program sends it,
 * in the name of this process.
 */
export async function notifySystemd(state: 'READY=1' | 'STOPPING=1', log: Logger): Promise<void> {
  if (!process.env['NOTIFY_SOCKET']) return;
  const { spawn } = await import('node:child_process');
  const child = spawn('systemd-notify', [`--pid=${process.pid}`, state], { stdio: 'ignore' });
  child.on('error', (error) => log.error('Unable to send systemd daemon status message', { state, err: error }));
  child.unref();
}
