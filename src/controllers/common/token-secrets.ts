/** Secrets that are made for tokens of service accounts. */
export const tokenSecretsPath = '/api/v1/secrets?fieldSelector=type%3Dkubernetes.io%2Fservice-account-token';
export const accountNameAnnotation = 'kubernetes.io/service-account.name';
export const accountUidAnnotation = 'kubernetes.io/service-account.uid';
