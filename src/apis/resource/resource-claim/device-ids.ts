// Upstream: k8s.io/dynamic-resource-allocation/structured/schedulerapi/types.go#SharedDeviceID
interface DeviceReference {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly shareID?: string;
}

/** What tells one allocated device, or one share of it, from all others. */
export function deviceId({ driver, pool, device, shareID = '' }: DeviceReference): string {
  return JSON.stringify([driver, pool, device, shareID]);
}

export function deviceIds(devices: readonly DeviceReference[] | undefined): Set<string> {
  return new Set((devices ?? []).map(deviceId));
}
