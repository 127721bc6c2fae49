// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateISCSIVolumeSource, #iscsiInitiatorIqnRegex
const eui = /^eui.[a-zA-Z0-9]{16}$/;
const naa = /^naa.[a-zA-Z0-9]{32}$/;
const run = /[a-zA-Z0-9\-.]+/g;
const dated = /iqn\.\d{4}-\d{2}\.[a-zA-Z0-9\-.]/;
const unfit = /[,;*&$|\t\n\f\r ]/g;

/** What the name of an iSCSI initiator or target begins with: the format that it must have. */
export function initiatorFormat(name: string): 'iqn' | 'eui' | 'naa' | undefined {
  return (['iqn', 'eui', 'naa'] as const).find((prefix) => name.startsWith(prefix));
}

export function isInitiatorName(name: string): boolean {
  switch (initiatorFormat(name)) {
    case 'iqn':
      return endsWithQualifiedName(name);
    case 'eui':
      return eui.test(name);
    case 'naa':
      return naa.test(name);
    default:
      return false;
  }
}

/**
 * Whether the text ends with `iqn.2001-04.com.example:disk`; a quirk kept: before it, anything goes. As a single pattern this would be tried
 * at every `iqn.` of the text, up to its end each time.
 */
function endsWithQualifiedName(text: string): boolean {
  let fitFrom = 0;
  for (const { index } of text.matchAll(unfit)) fitFrom = index + 1;
  for (const { 0: domain, index } of text.matchAll(run)) {
    const colon = index + domain.length;
    if (text[colon] === ':' && colon + 1 < text.length && colon + 1 >= fitFrom && dated.test(domain)) return true;
  }
  return false;
}
