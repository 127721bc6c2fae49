// Upstream: k8s.io/kubernetes/pkg/api/pod/warnings.go
import type { FieldPath } from '../../../machinery/field.ts';
import { goQuote } from '../../../machinery/go-format.ts';
import type { ContainerPort } from '../../../schema/types/core-v1.ts';
import type { AnyContainer } from './containers.ts';

interface PlacedContainer {
  readonly container: AnyContainer;
  readonly path: FieldPath;
}

interface PlacedPort {
  readonly port: ContainerPort;
  readonly at: FieldPath;
}

export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const ports: PlacedPort[] = [];
  for (const { container, path } of containers) {
    container.ports?.forEach((port, index) => ports.push({ port, at: path.child('ports').index(index) }));
  }
  return ports.length === 0 ? [] : [...definitionWarnings(ports), ...nameWarnings(ports)];
}

function definitionWarnings(ports: readonly PlacedPort[]): string[] {
  const warnings: string[] = [];
  const known = new Map<string, PlacedPort[]>();
  for (const placed of ports) {
    const { port, at } = placed;
    if (port.hostIP && !port.hostPort) warnings.push(`${at}: hostIP set without hostPort: ${goStruct(port)}`);
    const key = `${port.containerPort}/${port.protocol ?? ''}`;
    const others = known.get(key) ?? [];
    for (const other of others) {
      const clash = clashOf(port, other.port);
      if (clash !== undefined) warnings.push(`${at}: ${clash} port definition with ${other.at}`);
    }
    known.set(key, [...others, placed]);
  }
  return warnings;
}

function clashOf(port: ContainerPort, other: ContainerPort): string | undefined {
  const [ip, otherIp] = [port.hostIP ?? '', other.hostIP ?? ''];
  const [host, otherHost] = [port.hostPort ?? 0, other.hostPort ?? 0];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0 || otherHost === 0) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

/** Upstream prints its struct. */
function goStruct({ name = '', hostPort = 0, containerPort, protocol = '', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

function nameWarnings(ports: readonly PlacedPort[]): string[] {
  const known = new Map<string, FieldPath>();
  return ports.flatMap(({ port: { name }, at }) => {
    if (!name) return [];
    const other = known.get(name);
    if (other === undefined) {
      known.set(name, at);
      return [];
    }
    return [`${at}: duplicate port name ${goQuote(name)} with ${other}, services and probes that select ports by name will use ${other}`];
  });
}
