/**
 * `npm run test:helm [-- --show LINES]`: helm installs, upgrades, rolls back, tests and removes charts on upstream and on ours, each with upstream's
 * controllers and kwok in place of kubelets: what it prints, and what is then in the cluster, must be the same, times and such aside. The
 * charts are the one that `helm create` makes, and one with a custom resource definition, hooks, lookups and capabilities. Needs the programs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { normalise } from '../clients/normalise.ts';
import { textDiff } from '../clients/text-diff.ts';
import { EtcdProcess } from '../etcd/etcd-process.ts';
import { ApiServerProcess } from '../servers/api-server-process.ts';
import { Controllers } from '../servers/controllers.ts';
import { makeFakeNodes } from '../servers/fake-nodes.ts';
import { installOurs } from '../servers/our-package.ts';
import { findReference } from '../servers/reference-binaries.ts';

const { values } = parseArgs({ options: { show: { type: 'string', default: '15' } } });

const things: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: things\nversion: 1.2.3\nappVersion: "4"\n',
  'values.yaml': 'color: red\nbroken: false\n',
  'crds/things.yaml': `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: things.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: things, kind: Thing }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { color: { type: string, enum: [red, blue] }, size: { type: integer, default: 3 } } }
`,
  'templates/thing.yaml': `
apiVersion: example.com/v1
kind: Thing
metadata: { name: {{ .Release.Name }}, labels: { helm.sh/chart: things } }
spec: { color: {{ .Values.color }} }
`,
  'templates/facts.yaml': `
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-facts }
data:
  release: {{ .Release.Name }} {{ .Release.Revision }} {{ .Release.IsUpgrade }}
  version: {{ .Capabilities.KubeVersion.Version }} {{ .Capabilities.KubeVersion.Major }} {{ .Capabilities.KubeVersion.Minor }}
  apis: {{ .Capabilities.APIVersions.Has "apps/v1" }} {{ .Capabilities.APIVersions.Has "example.com/v1/Thing" }} {{ .Capabilities.APIVersions.Has "apps/v1beta1" }}
  lookup: {{ (lookup "v1" "Namespace" "" "default").metadata.name }} {{ len (lookup "v1" "ConfigMap" "kube-system" "").items }}
  all: {{ .Capabilities.APIVersions | sortAlpha | toJson | quote }}
`,
  'templates/hook.yaml': `
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-hook
  labels: { app.kubernetes.io/managed-by: Helm }
  annotations: { helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-weight: "-5", helm.sh/hook-delete-policy: before-hook-creation }
data: { revision: {{ .Release.Revision | quote }} }
`,
  'templates/broken.yaml': `
{{ if .Values.broken }}
apiVersion: v1
kind: Service
metadata: { name: {{ .Release.Name }}-broken }
spec: { ports: [{ port: 70000 }] }
{{ end }}
`,
  'templates/NOTES.txt': 'It is {{ .Values.color }}.\n',
};

/** Prints what the releases left in the namespace. */
const kinds = 'deployments,services,hpa,ingresses,serviceaccounts,configmaps';
const objects = `kubectl get ${kinds} -n play -o json --show-managed-fields -l app.kubernetes.io/managed-by=Helm`;
const ofThings = objects.replace(kinds, 'things,configmaps');
const steps: readonly string[] = [
  'kubectl create namespace play',
  'helm version --template {{.Version}}',
  'helm list -n play',
  'helm install web ./web -n play --dry-run=server',
  'helm install web ./web -n play --wait --timeout 90s',
  objects,
  'helm status web -n play',
  'helm get all web -n play',
  'helm install web ./web -n play',
  'helm upgrade web ./web -n play --set replicaCount=3 --wait --timeout 90s',
  'kubectl get deployment web -n play -o jsonpath={.spec.replicas}/{.status.readyReplicas}',
  'helm upgrade web ./web -n play --set autoscaling.enabled=true --set ingress.enabled=true',
  objects,
  'helm upgrade web ./web -n play --set service.port=0',
  'helm upgrade web ./web -n play --set service.port=0 --rollback-on-failure --timeout 30s',
  'kubectl scale deployment web -n play --replicas=5',
  'helm upgrade web ./web -n play --set replicaCount=2 --force-conflicts',
  'helm rollback web 1 -n play --wait --timeout 90s',
  objects,
  'helm history web -n play -o json',
  'helm list -n play -o json',
  'helm install thing ./things -n play',
  ofThings,
  'helm upgrade thing ./things -n play --set color=blue',
  'helm upgrade thing ./things -n play --set color=green',
  'helm upgrade thing ./things -n play --set broken=true',
  'helm upgrade thing ./things -n play --server-side=false --set color=red',
  'helm upgrade --install other ./things -n play --server-side=false',
  'helm install third ./things -n missing',
  'helm install third ./things -n fourth --create-namespace',
  'helm install other-owner ./web -n play --set fullnameOverride=web',
  'helm history thing -n play -o json',
  'helm get hooks thing -n play',
  'helm get metadata thing -n play',
  ofThings,
  'helm list -A -o json',
  'helm uninstall web -n play --wait --timeout 90s',
  'helm uninstall thing -n play --keep-history',
  'helm uninstall other -n play',
  'helm uninstall missing -n play',
  'helm list -n play --uninstalled -o json',
  'kubectl get things,configmaps,all -A -l app.kubernetes.io/managed-by=Helm',
];

type Side = 'upstream' | 'ours';

const scratch = mkdtempSync(join(tmpdir(), 'wheelhouse-helm-'));
try {
  process.exitCode = await compare();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function compare(): Promise<number> {
  await using owned = new AsyncDisposableStack();
  const etcd = owned.use(await EtcdProcess.start({ binary: findReference('etcd') }));
  const start = async (side: Side): Promise<string> => {
    const server = owned.use(
      await ApiServerProcess.start({
        executable: side === 'ours' ? installOurs(join(scratch, 'package')) : findReference('kube-apiserver'),
        folder: join(scratch, side),
        storage: side === 'ours' ? 'embedded' : { etcd: etcd.endpoint },
      }),
    );
    const home = join(scratch, `${side}-controllers`);
    mkdirSync(home);
    owned.use(await Controllers.start(server, home));
    await makeFakeNodes(server, 1);
    return server.files.kubeconfig;
  };
  const kubeconfigs = { upstream: await start('upstream'), ours: await start('ours') };
  await run('helm create web', kubeconfigs.ours, 'ours');
  for (const [file, content] of Object.entries(things)) {
    mkdirSync(dirname(join(scratch, 'things', file)), { recursive: true });
    writeFileSync(join(scratch, 'things', file), content);
  }
  let different = 0;
  for (const line of steps) {
    const [expected = '', actual = ''] = await Promise.all(
      (['upstream', 'ours'] as const).map((side) => run(line, kubeconfigs[side], side)),
    );
    const isSame = expected === actual;
    console.log(`${isSame ? '✔' : '✖'} ${line}: ${expected.slice(0, expected.indexOf('\n'))}`);
    if (isSame) continue;
    different++;
    for (const shown of textDiff(expected, actual).split('\n').slice(0, Number(values.show))) console.log(`  ${shown.slice(0, 300)}`);
  }
  console.log(`${steps.length - different} of ${steps.length} the same`);
  return different === 0 ? 0 : 1;
}

async function run(line: string, kubeconfig: string, side: Side): Promise<string> {
  const [program = '', ...args] = line.split(' ');
  const child = spawn(findReference(program as 'helm' | 'kubectl'), args, {
    cwd: scratch,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 180_000,
    env: { ...process.env, KUBECONFIG: kubeconfig, HOME: join(scratch, `${side}-home`) },
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return (
    normalise(`exit ${code}\n${out}${err}`)
      .replaceAll(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} +\d+ \d\d:\d\d:\d\d \d{4}/g, 'DATE')
      .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d{4} \w+( m=\S+)?/g, 'TIME')
      // names that a template of a controller gets
      .replaceAll(/\bweb-[a-z0-9]{6,10}(-[a-z0-9]{5})?\b/g, 'web-POD')
      .replaceAll(/\b10\.2(44|51)\.\d+\.\d+\b/g, 'POD-IP')
      .replaceAll(/("pod-template-hash": )"\w+"/g, '$1"HASH"')
      // `helm status` shows kinds in the order of a Go map
      .replace(/(?:^==> .*\n(?:.+\n)+\n)+/m, (kinds) =>
        kinds
          .split(/(?=^==> )/m)
          .toSorted()
          .join(''),
      )
  );
}
