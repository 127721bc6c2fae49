import { create, describeKind, get, merge, remove, replace, table } from '../../../../test/support/kind-suite.ts';

const service = (spec: object): object => ({ spec: { ports: [{ port: 80 }], ...spec } });

describeKind('a Service', {
  path: '/api/v1/namespaces/{ns}/services',
  cases: [
    [
      'is a ClusterIP service of one family unless it says otherwise, and its port is that of the pods',
      [create(service({}))],
      {
        fields: {
          spec: {
            type: 'ClusterIP',
            clusterIP: /^\d+\.\d+\.\d+\.\d+$/,
            clusterIPs: [/^\d+\.\d+\.\d+\.\d+$/],
            ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
            sessionAffinity: 'None',
            ipFamilies: ['IPv4'],
            ipFamilyPolicy: 'SingleStack',
            internalTrafficPolicy: 'Cluster',
            externalTrafficPolicy: undefined,
            allocateLoadBalancerNodePorts: undefined,
          },
          status: { loadBalancer: {} },
        },
      },
    ],
    ['needs ports', [create({ spec: {} })], { causes: ['spec.ports: Required value'] }],
    [
      'needs no ports without an address',
      [create({ spec: { clusterIP: 'None' } })],
      { fields: { spec: { clusterIP: 'None', clusterIPs: ['None'], ports: undefined } } },
    ],
    [
      'names its ports once there are two',
      [create(service({ ports: [{ port: 80 }, { port: 81, name: 'b' }] }))],
      { causes: ['spec.ports[0].name: Required value'] },
    ],
    [
      'has one port of a number and protocol',
      [
        create(
          service({
            ports: [
              { port: 80, name: 'a' },
              { port: 80, name: 'b' },
            ],
          }),
        ),
      ],
      { causes: ['spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}'] },
    ],
    [
      'judges each port by itself',
      [create(service({ ports: [{ port: 0, name: 'A', protocol: 'tcp', targetPort: 70000 }] }))],
      {
        causes: [
          `spec.ports[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
          'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
          'spec.ports[0].protocol: Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
          'spec.ports[0].targetPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        ],
      },
    ],
    [
      'has node ports only where nodes are asked',
      [create(service({ ports: [{ port: 80, nodePort: 30777 }] }))],
      { causes: ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"] },
    ],
    [
      'gets node ports from the range of the server',
      [create(service({ type: 'NodePort' }))],
      { fields: { spec: { ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }], externalTrafficPolicy: 'Cluster' } } },
    ],
    [
      'refuses node ports out of range',
      [create(service({ type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }))],
      {
        causes: [
          'spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
        ],
      },
    ],
    [
      'of type ExternalName is a name and has no address',
      [create({ spec: { type: 'ExternalName', externalName: 'a.example.com' } })],
      { fields: { spec: { clusterIP: undefined, sessionAffinity: 'None', ipFamilies: undefined, internalTrafficPolicy: undefined } } },
    ],
    [
      'of type ExternalName needs the name',
      [create({ spec: { type: 'ExternalName' } })],
      { causes: ['spec.externalName: Required value'] },
    ],
    [
      'of type LoadBalancer has a node port for each port',
      [create(service({ type: 'LoadBalancer' }))],
      { fields: { spec: { allocateLoadBalancerNodePorts: true, externalTrafficPolicy: 'Cluster' }, status: { loadBalancer: {} } } },
    ],
    [
      'has a health check port when traffic stays local',
      [create(service({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' })), get()],
      { fields: {} },
    ],
    [
      'keeps its cluster IP',
      [create(service({})), merge({ spec: { clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'] } })],
      { causes: ['spec.clusterIPs[0]: Invalid value: ["10.0.0.9"]: may not change once set'] },
    ],
    [
      'keeps its cluster IP when a replacement does not name it',
      [create(service({})), replace({ spec: { clusterIP: null, clusterIPs: null } })],
      { fields: { spec: { clusterIP: /^10/ } } },
    ],
    [
      'gives up node ports when it becomes a ClusterIP service',
      [create(service({ type: 'NodePort' })), replace({ spec: { type: 'ClusterIP' } })],
      { fields: { spec: { ports: [{ nodePort: undefined }], externalTrafficPolicy: undefined } } },
    ],
    [
      'keeps its primary family',
      [create(service({})), merge({ spec: { ipFamilies: ['IPv6'] } })],
      { causes: [/^spec\.clusterIPs\[0\]: Invalid value: "[\d.]+": expected an IPv6 value as indicated by `ipFamilies\[0\]`$/] },
    ],
    [
      'has a session affinity of at most a day',
      [create(service({ sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } }))],
      { causes: ['spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400'] },
    ],
    [
      'remembers clients for three hours',
      [create(service({ sessionAffinity: 'ClientIP' }))],
      { fields: { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10800 } } } } },
    ],
    [
      'does not take a status with its creation',
      [create({ ...service({ type: 'LoadBalancer' }), status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } })],
      { fields: { status: { loadBalancer: {} } } },
    ],
    [
      'takes where its load balancer is as status alone',
      [
        create(service({ type: 'LoadBalancer' })),
        merge({ spec: { type: 'ClusterIP' }, status: { loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'VIP' }] } } }, 'status'),
      ],
      { fields: { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '192.0.2.1', ipMode: 'VIP' }] } } } },
    ],
    [
      'warns of addresses in unusual form',
      [create(service({ externalIPs: ['2001:0db8::1'] }))],
      {
        warnings: [
          'spec.externalIPs[0]: IPv6 address "2001:0db8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
          'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
        ],
      },
    ],
    [
      'shows where it is',
      [create(service({ clusterIP: 'None', selector: { app: 'a' } })), table],
      {
        cells: {
          Name: '{name}',
          Type: 'ClusterIP',
          'Cluster-IP': 'None',
          'External-IP': '<none>',
          'Port(s)': '80/TCP',
          Age: /./,
          Selector: 'app=a',
        },
      },
    ],
    [
      'keeps the class of its load balancer',
      [create(service({ type: 'LoadBalancer', loadBalancerClass: 'example.com/a' })), merge({ spec: { loadBalancerClass: null } })],
      { causes: ['spec.loadBalancerClass: Invalid value: null: may not change once set'] },
    ],
    [
      'gives up the class of its load balancer with the load balancer',
      [create(service({ type: 'LoadBalancer', loadBalancerClass: 'example.com/a' })), merge({ spec: { type: 'ClusterIP' } })],
      { fields: { spec: { loadBalancerClass: undefined } } },
    ],
    ['is shown once more when it is deleted', [create(service({})), remove()], { fields: { kind: 'Service' } }],
  ],
});
