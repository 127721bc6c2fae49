const uidPlace = '%uid%';
const timePlace = '%time%';

/** The stored JSON of an object as a template: what is different on every server is left open. */
export function templateOf(text: string): string {
  const { uid = '', creationTimestamp = '' } = (JSON.parse(text) as { metadata: { uid?: string; creationTimestamp?: string } }).metadata;
  return text.replaceAll(uid, uidPlace).replaceAll(creationTimestamp, timePlace);
}

export function storedText(template: string, uid: string, time: string): string {
  return template.replaceAll(uidPlace, uid).replaceAll(timePlace, time);
}
