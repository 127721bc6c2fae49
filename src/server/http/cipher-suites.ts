// Upstream: std/crypto/tls/defaults.go, std/crypto/tls/cipher_suites.go

/** Suites of TLS 1.3, all of them, always: they are no matter of configuration. */
export const modernSuites: readonly string[] = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** Suites of TLS 1.2 by OpenSSL's names, in Go's order. Those without ephemeral keys are not among them. */
export const defaultSuites: readonly string[] = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-RSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-RSA-AES256-SHA',
];

/** What is offered: these suites of TLS 1.2, in the order of preference that Go has whatever the order they are given in. */
export function offeredSuites(suites: readonly string[] = defaultSuites): string {
  const given = new Set(suites.filter((suite) => !modernSuites.includes(suite)));
  const ordered = [...defaultSuites.filter((suite) => given.has(suite)), ...[...given].filter((suite) => !defaultSuites.includes(suite))];
  return [...modernSuites, ...ordered].join(':');
}

/** Go has it and would rather not. */
export function isInsecure(suite: string | undefined): boolean {
  return suite !== undefined && !defaultSuites.includes(suite) && !modernSuites.includes(suite);
}
