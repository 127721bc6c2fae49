/** What differs between two servers that do the same, made equal. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UID'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, 'TIME'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, 'DATE'],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ [+-]\d{4}/g, 'TIME'],
  [/(resourceVersion"?: ?)"\d+"/g, '$1"VERSION"'],
  [/(resource version|resourceVersion)([=: ]+)\d+/gi, '$1$2VERSION'],
  [/(resource version to be \d+, was )\d+/g, '$1VERSION'],
  [/(object not decodable revision=)\d+/g, '$1VERSION'],
  [/https:\/\/127\.0\.0\.1:\d+/g, 'SERVER'],
  [/127\.0\.0\.1:\d+/g, 'ADDRESS'],
  [/\b10\.(9[6-9]|10\d|11[01])\.\d+\.\d+\b/g, 'CLUSTER-IP'],
  // and the blanks around it in a table, whose columns are as wide as their widest cell
  [/ +CLUSTER-IP +/g, ' CLUSTER-IP '],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN'],
  [/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=HASH'],
  [/(nodePort"?: ?)\d+/g, '$1NODE-PORT'],
  [/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-SUFFIX'],
  [/\/tmp\/(LIVE|MERGED)-\d+/g, '/tmp/$1-N'],
  [/(kubectl-edit-)[a-z0-9]+/g, '$1N'],
  // an age; and, since its column is as wide as its widest cell, the blanks before it
  [/ +(<invalid>|(\d+[smhd])+)(?=\s|$)/gm, ' AGE'],
  [/ +AGE(?=\s|$)/gm, ' AGE'],
  [/\(?\d+(\.\d+)?m?s( ago)?\)/g, '(AGE)'],
];

export function normalise(text: string): string {
  return replacements.reduce((result, [pattern, replacement]) => result.replaceAll(pattern, replacement), text);
}
