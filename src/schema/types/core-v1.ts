// Made by `npm run generate`; do not edit.
import type { Base64, Int64, IntOrString, MicroTime, Quantity, Time } from '../scalars.ts';
import type * as metaV1 from './meta-v1.ts';

export type AppArmorProfileType = 'Localhost' | 'RuntimeDefault' | 'Unconfined' | (string & {});

export type AzureDataDiskCachingMode = 'None' | 'ReadOnly' | 'ReadWrite' | (string & {});

export type AzureDataDiskKind = 'Dedicated' | 'Managed' | 'Shared' | (string & {});

export type ClaimResourceStatus = 'ControllerResizeInProgress' | 'ControllerResizeInfeasible' | 'NodeResizeInProgress' | 'NodeResizeInfeasible' | 'NodeResizePending' | (string & {});

export type DNSPolicy = 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None' | (string & {});

export type GRPCProbeMode = 'Plaintext' | 'TLS' | (string & {});

export type HTTPProtocol = 'HTTP1' | 'HTTP2' | (string & {});

export type HostPathType = '' | 'BlockDevice' | 'CharDevice' | 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate' | 'Socket' | (string & {});

export type IPFamily = '' | 'IPv4' | 'IPv6' | (string & {});

export type IPFamilyPolicy = 'PreferDualStack' | 'RequireDualStack' | 'SingleStack' | (string & {});

export type MountPropagationMode = 'Bidirectional' | 'HostToContainer' | 'None' | (string & {});

export type NamespacePhase = 'Active' | 'Terminating' | (string & {});

export type NodeInclusionPolicy = 'Honor' | 'Ignore' | (string & {});

export type NodePhase = 'Pending' | 'Running' | 'Terminated' | (string & {});

export type NodeSelectorOperator = 'DoesNotExist' | 'Exists' | 'Gt' | 'In' | 'Lt' | 'NotIn' | (string & {});

export type PersistentVolumeAccessMode = 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod' | (string & {});

export type PersistentVolumeClaimModifyVolumeStatus = 'InProgress' | 'Infeasible' | 'Pending' | (string & {});

export type PersistentVolumeClaimPhase = 'Bound' | 'Lost' | 'Pending' | (string & {});

export type PersistentVolumeMode = 'Block' | 'Filesystem' | (string & {});

export type PersistentVolumePhase = 'Available' | 'Bound' | 'Failed' | 'Pending' | 'Released' | (string & {});

export type PersistentVolumeReclaimPolicy = 'Delete' | 'Recycle' | 'Retain' | (string & {});

export type PodFSGroupChangePolicy = 'Always' | 'OnRootMismatch' | (string & {});

export type PodPhase = 'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown' | (string & {});

export type PodQOSClass = 'BestEffort' | 'Burstable' | 'Guaranteed' | (string & {});

export type PreemptionPolicy = 'Never' | 'PreemptLowerPriority' | (string & {});

export type ProcMountType = 'Default' | 'Unmasked' | (string & {});

export type Protocol = 'SCTP' | 'TCP' | 'UDP' | (string & {});

export type PullPolicy = 'Always' | 'IfNotPresent' | 'Never' | (string & {});

export type ResourceQuotaScope = 'BestEffort' | 'CrossNamespacePodAffinity' | 'NotBestEffort' | 'NotTerminating' | 'PriorityClass' | 'Terminating' | 'VolumeAttributesClass' | (string & {});

export type RestartPolicy = 'Always' | 'Never' | 'OnFailure' | (string & {});

export type ScopeSelectorOperator = 'DoesNotExist' | 'Exists' | 'In' | 'NotIn' | (string & {});

export type SeccompProfileType = 'Localhost' | 'RuntimeDefault' | 'Unconfined' | (string & {});

export type ServiceAffinity = 'ClientIP' | 'None' | (string & {});

export type ServiceExternalTrafficPolicy = 'Cluster' | 'Local' | (string & {});

export type ServiceInternalTrafficPolicy = 'Cluster' | 'Local' | (string & {});

export type ServiceType = 'ClusterIP' | 'ExternalName' | 'LoadBalancer' | 'NodePort' | (string & {});

export type Signal = 'SIGABRT' | 'SIGALRM' | 'SIGBUS' | 'SIGCHLD' | 'SIGCLD' | 'SIGCONT' | 'SIGFPE' | 'SIGHUP' | 'SIGILL' | 'SIGINT' | 'SIGIO' | 'SIGIOT' | 'SIGKILL' | 'SIGPIPE' | 'SIGPOLL' | 'SIGPROF' | 'SIGPWR' | 'SIGQUIT' | 'SIGRTMAX' | 'SIGRTMAX-1' | 'SIGRTMAX-10' | 'SIGRTMAX-11' | 'SIGRTMAX-12' | 'SIGRTMAX-13' | 'SIGRTMAX-14' | 'SIGRTMAX-2' | 'SIGRTMAX-3' | 'SIGRTMAX-4' | 'SIGRTMAX-5' | 'SIGRTMAX-6' | 'SIGRTMAX-7' | 'SIGRTMAX-8' | 'SIGRTMAX-9' | 'SIGRTMIN' | 'SIGRTMIN+1' | 'SIGRTMIN+10' | 'SIGRTMIN+11' | 'SIGRTMIN+12' | 'SIGRTMIN+13' | 'SIGRTMIN+14' | 'SIGRTMIN+15' | 'SIGRTMIN+2' | 'SIGRTMIN+3' | 'SIGRTMIN+4' | 'SIGRTMIN+5' | 'SIGRTMIN+6' | 'SIGRTMIN+7' | 'SIGRTMIN+8' | 'SIGRTMIN+9' | 'SIGSEGV' | 'SIGSTKFLT' | 'SIGSTOP' | 'SIGSYS' | 'SIGTERM' | 'SIGTRAP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGUSR1' | 'SIGUSR2' | 'SIGVTALRM' | 'SIGWINCH' | 'SIGXCPU' | 'SIGXFSZ' | (string & {});

export type SupplementalGroupsPolicy = 'Merge' | 'Strict' | (string & {});

export type TaintEffect = 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule' | (string & {});

export type TerminationMessagePolicy = 'FallbackToLogsOnError' | 'File' | (string & {});

export type TolerationOperator = 'Equal' | 'Exists' | 'Gt' | 'Lt' | (string & {});

export type URIScheme = 'HTTP' | 'HTTPS' | (string & {});

export type UnsatisfiableConstraintAction = 'DoNotSchedule' | 'ScheduleAnyway' | (string & {});

export type VolumeHealthStatusType = 'DataLoss' | 'Degraded' | 'Inaccessible' | (string & {});

export interface AWSElasticBlockStoreVolumeSource {
  volumeID: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}

export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
}

export interface AppArmorProfile {
  type: AppArmorProfileType;
  localhostProfile?: string;
}

export interface AttachedVolume {
  name: string;
  devicePath: string;
}

export interface AvoidPods {
  preferAvoidPods?: PreferAvoidPodsEntry[];
}

export interface AzureDiskVolumeSource {
  diskName: string;
  diskURI: string;
  cachingMode?: AzureDataDiskCachingMode;
  fsType?: string;
  readOnly?: boolean;
  kind?: AzureDataDiskKind;
}

export interface AzureFilePersistentVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
  secretNamespace: string | null;
}

export interface AzureFileVolumeSource {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
}

export interface Binding extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  target: ObjectReference;
}

export interface CSIPersistentVolumeSource {
  driver: string;
  volumeHandle: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
}

export interface CSIVolumeSource {
  driver: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  nodePublishSecretRef?: LocalObjectReference;
}

export interface Capabilities {
  add?: string[];
  drop?: string[];
}

export interface CephFSPersistentVolumeSource {
  monitors: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}

export interface CephFSVolumeSource {
  monitors: string[] | null;
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}

export interface CinderPersistentVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: SecretReference;
}

export interface CinderVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}

export interface ClientIPConfig {
  timeoutSeconds?: number;
}

export interface ClusterTrustBundleProjection {
  name?: string;
  signerName?: string;
  labelSelector?: metaV1.LabelSelector;
  optional?: boolean;
  path: string;
  user?: Int64;
}

export interface ComponentCondition {
  type: string;
  status: string;
  message?: string;
  error?: string;
}

export interface ComponentStatus extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  conditions?: ComponentCondition[];
}

export interface ComponentStatusList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ComponentStatus[] | null;
}

export interface ConfigMap extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  immutable?: boolean;
  data?: Record<string, string>;
  binaryData?: Record<string, Base64>;
}

export interface ConfigMapEnvSource extends LocalObjectReference {
  optional?: boolean;
}

export interface ConfigMapKeySelector extends LocalObjectReference {
  key: string;
  optional?: boolean;
}

export interface ConfigMapList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ConfigMap[] | null;
}

export interface ConfigMapNodeConfigSource {
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
}

export interface ConfigMapProjection extends LocalObjectReference {
  items?: KeyToPath[];
  optional?: boolean;
}

export interface ConfigMapVolumeSource extends LocalObjectReference {
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  defaultUser?: Int64;
}

export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: TerminationMessagePolicy;
  imagePullPolicy?: PullPolicy;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}

export interface ContainerExtendedResourceRequest {
  containerName: string;
  resourceName: string;
  requestName: string;
}

export interface ContainerImage {
  names: string[] | null;
  sizeBytes?: Int64;
}

export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: Protocol;
  hostIP?: string;
}

export interface ContainerResizePolicy {
  resourceName: string;
  restartPolicy: string;
}

export interface ContainerRestartRule {
  action?: string;
  exitCodes?: ContainerRestartRuleOnExitCodes;
}

export interface ContainerRestartRuleOnExitCodes {
  operator?: string;
  values?: number[];
}

export interface ContainerState {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
}

export interface ContainerStateRunning {
  startedAt: Time | null;
}

export interface ContainerStateTerminated {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt: Time | null;
  finishedAt: Time | null;
  containerID?: string;
}

export interface ContainerStateWaiting {
  reason?: string;
  message?: string;
}

export interface ContainerStatus {
  name: string;
  state: ContainerState;
  lastState: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: Record<string, Quantity>;
  resources?: ResourceRequirements;
  volumeMounts?: VolumeMountStatus[];
  user?: ContainerUser;
  allocatedResourcesStatus?: ResourceStatus[];
  stopSignal?: Signal;
}

export interface ContainerUser {
  linux?: LinuxContainerUser;
}

export interface DaemonEndpoint {
  Port: number;
}

export interface DownwardAPIProjection {
  items?: DownwardAPIVolumeFile[];
}

export interface DownwardAPIVolumeFile {
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
  user?: Int64;
}

export interface DownwardAPIVolumeSource {
  items?: DownwardAPIVolumeFile[];
  defaultMode?: number;
  defaultUser?: Int64;
}

export interface EmptyDirVolumeSource {
  medium?: string;
  sizeLimit?: Quantity;
  mode?: number;
}

export interface EndpointAddress {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
}

export interface EndpointPort {
  name?: string;
  port: number;
  protocol?: Protocol;
  appProtocol?: string;
}

export interface EndpointSubset {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
}

export interface Endpoints extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  subsets?: EndpointSubset[];
}

export interface EndpointsList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Endpoints[] | null;
}

export interface EnvFromSource {
  prefix?: string;
  configMapRef?: ConfigMapEnvSource;
  secretRef?: SecretEnvSource;
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: EnvVarSource;
}

export interface EnvVarSource {
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: ConfigMapKeySelector;
  secretKeyRef?: SecretKeySelector;
  fileKeyRef?: FileKeySelector;
}

export interface EphemeralContainer extends EphemeralContainerCommon {
  targetContainerName?: string;
}

export interface EphemeralContainerCommon {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: TerminationMessagePolicy;
  imagePullPolicy?: PullPolicy;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
}

export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
}

export interface Event extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  involvedObject: ObjectReference;
  reason?: string;
  message?: string;
  source: EventSource;
  firstTimestamp: Time | null;
  lastTimestamp: Time | null;
  count?: number;
  type?: string;
  eventTime: MicroTime | null;
  series?: EventSeries;
  action?: string;
  related?: ObjectReference;
  reportingComponent: string;
  reportingInstance: string;
}

export interface EventList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Event[] | null;
}

export interface EventSeries {
  count?: number;
  lastObservedTime: MicroTime | null;
}

export interface EventSource {
  component?: string;
  host?: string;
}

export interface EvictionResponder {
  name: string;
  priority: number | null;
}

export interface ExecAction {
  command?: string[];
}

export interface FCVolumeSource {
  targetWWNs?: string[];
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: string[];
}

export interface FileKeySelector {
  volumeName: string;
  path: string;
  key: string;
  optional?: boolean;
}

export interface FlexPersistentVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}

export interface FlexVolumeSource {
  driver: string;
  fsType?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
  options?: Record<string, string>;
}

export interface FlockerVolumeSource {
  datasetName?: string;
  datasetUUID?: string;
}

export interface GCEPersistentDiskVolumeSource {
  pdName: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
}

export interface GRPCAction {
  port: number;
  service: string | null;
  mode?: GRPCProbeMode;
}

export interface GitRepoVolumeSource {
  repository: string;
  revision?: string;
  directory?: string;
}

export interface GlusterfsPersistentVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
}

export interface GlusterfsVolumeSource {
  endpoints: string;
  path: string;
  readOnly?: boolean;
}

export interface HTTPGetAction {
  path?: string;
  port: IntOrString;
  host?: string;
  scheme?: URIScheme;
  httpHeaders?: HTTPHeader[];
  protocol?: HTTPProtocol;
}

export interface HTTPHeader {
  name: string;
  value: string;
}

export interface HostAlias {
  ip: string;
  hostnames?: string[];
}

export interface HostIP {
  ip: string;
}

export interface HostPathVolumeSource {
  path: string;
  type?: HostPathType;
}

export interface ISCSIPersistentVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: SecretReference;
  initiatorName?: string;
}

export interface ISCSIVolumeSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: LocalObjectReference;
  initiatorName?: string;
}

export interface ImageVolumeSource {
  reference?: string;
  pullPolicy?: PullPolicy;
}

export interface ImageVolumeStatus {
  imageRef?: string;
}

export interface KeyToPath {
  key: string;
  path: string;
  mode?: number;
  user?: Int64;
}

export interface Lifecycle {
  postStart?: LifecycleHandler;
  preStop?: LifecycleHandler;
  stopSignal?: Signal;
}

export interface LifecycleHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  sleep?: SleepAction;
}

export interface LimitRange extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: LimitRangeSpec;
}

export interface LimitRangeItem {
  type: string;
  max?: Record<string, Quantity>;
  min?: Record<string, Quantity>;
  default?: Record<string, Quantity>;
  defaultRequest?: Record<string, Quantity>;
  maxLimitRequestRatio?: Record<string, Quantity>;
}

export interface LimitRangeList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: LimitRange[] | null;
}

export interface LimitRangeSpec {
  limits: LimitRangeItem[] | null;
}

export interface LinuxContainerUser {
  uid: Int64;
  gid: Int64;
  supplementalGroups?: Int64[];
}

export type List = metaV1.List;

export interface LoadBalancerIngress {
  ip?: string;
  hostname?: string;
  ipMode?: string;
  ports?: PortStatus[];
}

export interface LoadBalancerStatus {
  ingress?: LoadBalancerIngress[];
}

export interface LocalObjectReference {
  name?: string;
}

export interface LocalVolumeSource {
  path: string;
  fsType?: string;
}

export interface ModifyVolumeStatus {
  targetVolumeAttributesClassName?: string;
  status: PersistentVolumeClaimModifyVolumeStatus;
}

export interface NFSVolumeSource {
  server: string;
  path: string;
  readOnly?: boolean;
}

export interface Namespace extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: NamespaceSpec;
  status: NamespaceStatus;
}

export interface NamespaceCondition {
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface NamespaceList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Namespace[] | null;
}

export interface NamespaceSpec {
  finalizers?: string[];
}

export interface NamespaceStatus {
  phase?: NamespacePhase;
  conditions?: NamespaceCondition[];
}

export interface Node extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: NodeSpec;
  status: NodeStatus;
}

export interface NodeAddress {
  type: string;
  address: string;
}

export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
}

export interface NodeAllocatableMappedResources {
  name: string;
  quantity: Quantity | null;
}

export interface NodeAllocatableOverheadResources {
  name: string;
  perPod?: Quantity;
  perContainer?: Quantity;
}

export interface NodeAllocatableResourceClaimStatus {
  resourceClaimName: string;
  containers?: string[];
  mapping?: NodeAllocatableMappedResources[];
  overhead?: NodeAllocatableOverheadResources[];
}

export interface NodeCondition {
  type: string;
  status: string;
  lastHeartbeatTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource;
}

export interface NodeConfigStatus {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string;
}

export interface NodeDaemonEndpoints {
  kubeletEndpoint: DaemonEndpoint;
}

export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean;
}

export interface NodeList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Node[] | null;
}

export interface NodePodPreemptionPolicy {
  disableResizePreemption?: string[];
}

export interface NodeProxyOptions extends metaV1.TypeMeta {
  path?: string;
}

export interface NodeRuntimeHandler {
  name: string;
  features?: NodeRuntimeHandlerFeatures;
}

export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
}

export interface NodeSelector {
  nodeSelectorTerms: NodeSelectorTerm[] | null;
}

export interface NodeSelectorRequirement {
  key: string;
  operator: NodeSelectorOperator;
  values?: string[];
}

export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}

export interface NodeSpec {
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  configSource?: NodeConfigSource;
  externalID?: string;
  podPreemptionPolicy?: NodePodPreemptionPolicy;
}

export interface NodeStatus {
  capacity?: Record<string, Quantity>;
  allocatable?: Record<string, Quantity>;
  phase?: NodePhase;
  conditions?: NodeCondition[];
  addresses?: NodeAddress[];
  daemonEndpoints: NodeDaemonEndpoints;
  nodeInfo: NodeSystemInfo;
  images?: ContainerImage[];
  volumesInUse?: string[];
  volumesAttached?: AttachedVolume[];
  config?: NodeConfigStatus;
  runtimeHandlers?: NodeRuntimeHandler[];
  features?: NodeFeatures;
  declaredFeatures?: string[];
}

export interface NodeSwapStatus {
  capacity?: Int64;
}

export interface NodeSystemInfo {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion: string;
  operatingSystem: string;
  architecture: string;
  swap?: NodeSwapStatus;
  runningInUserNamespace?: boolean;
}

export interface ObjectFieldSelector {
  apiVersion?: string;
  fieldPath: string;
}

export interface ObjectReference {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
}

export interface PersistentVolume extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: PersistentVolumeSpec;
  status: PersistentVolumeStatus;
}

export interface PersistentVolumeClaim extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: PersistentVolumeClaimSpec;
  status: PersistentVolumeClaimStatus;
}

export interface PersistentVolumeClaimCondition {
  type: string;
  status: string;
  lastProbeTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface PersistentVolumeClaimList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: PersistentVolumeClaim[] | null;
}

export interface PersistentVolumeClaimSpec {
  accessModes?: PersistentVolumeAccessMode[];
  selector?: metaV1.LabelSelector;
  resources: VolumeResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: PersistentVolumeMode;
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  volumeAttributesClassName?: string;
}

export interface PersistentVolumeClaimStatus {
  phase?: PersistentVolumeClaimPhase;
  accessModes?: PersistentVolumeAccessMode[];
  capacity?: Record<string, Quantity>;
  conditions?: PersistentVolumeClaimCondition[];
  allocatedResources?: Record<string, Quantity>;
  allocatedResourceStatuses?: Record<string, ClaimResourceStatus>;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: ModifyVolumeStatus;
  healthStatus?: VolumeHealthStatus;
}

export interface PersistentVolumeClaimTemplate {
  metadata: metaV1.ObjectMeta;
  spec: PersistentVolumeClaimSpec;
}

export interface PersistentVolumeClaimVolumeSource {
  claimName: string;
  readOnly?: boolean;
}

export interface PersistentVolumeList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: PersistentVolume[] | null;
}

export interface PersistentVolumeSource {
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
}

export interface PersistentVolumeSpec extends PersistentVolumeSource {
  capacity?: Record<string, Quantity>;
  accessModes?: PersistentVolumeAccessMode[];
  claimRef?: ObjectReference;
  persistentVolumeReclaimPolicy?: PersistentVolumeReclaimPolicy;
  storageClassName?: string;
  mountOptions?: string[];
  volumeMode?: PersistentVolumeMode;
  nodeAffinity?: VolumeNodeAffinity;
  volumeAttributesClassName?: string;
}

export interface PersistentVolumeStatus {
  phase?: PersistentVolumePhase;
  message?: string;
  reason?: string;
  lastPhaseTransitionTime?: Time;
}

export interface PhotonPersistentDiskVolumeSource {
  pdID: string;
  fsType?: string;
}

export interface Pod extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: PodSpec;
  status: PodStatus;
}

export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}

export interface PodAffinityTerm {
  labelSelector?: metaV1.LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: metaV1.LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

export interface PodAntiAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
}

export interface PodAttachOptions extends metaV1.TypeMeta {
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
}

export interface PodCertificateProjection {
  signerName?: string;
  keyType?: string;
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: Record<string, string>;
  user?: Int64;
}

export interface PodCondition {
  type: string;
  observedGeneration?: Int64;
  status: string;
  lastProbeTime: Time | null;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface PodDNSConfig {
  nameservers?: string[];
  searches?: string[];
  options?: PodDNSConfigOption[];
}

export interface PodDNSConfigOption {
  name?: string;
  value?: string;
}

export interface PodExecOptions extends metaV1.TypeMeta {
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
  command: string[] | null;
}

export interface PodExtendedResourceClaimStatus {
  requestMappings: ContainerExtendedResourceRequest[] | null;
  resourceClaimName: string;
}

export interface PodIP {
  ip: string;
}

export interface PodList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Pod[] | null;
}

export interface PodLogOptions extends metaV1.TypeMeta {
  container?: string;
  follow?: boolean;
  previous?: boolean;
  sinceSeconds?: Int64;
  sinceTime?: Time;
  timestamps?: boolean;
  tailLines?: Int64;
  limitBytes?: Int64;
  insecureSkipTLSVerifyBackend?: boolean;
  stream?: string;
}

export interface PodOS {
  name: string;
}

export interface PodPortForwardOptions extends metaV1.TypeMeta {
  ports?: number[];
}

export interface PodProxyOptions extends metaV1.TypeMeta {
  path?: string;
}

export interface PodReadinessGate {
  conditionType: string;
}

export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}

export interface PodResourceClaimStatus {
  name: string;
  resourceClaimName?: string;
}

export interface PodSchedulingGate {
  name: string;
}

export interface PodSchedulingGroup {
  podGroupName?: string;
}

export interface PodSecurityContext {
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  supplementalGroups?: Int64[];
  supplementalGroupsPolicy?: SupplementalGroupsPolicy;
  fsGroup?: Int64;
  sysctls?: Sysctl[];
  fsGroupChangePolicy?: PodFSGroupChangePolicy;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
  seLinuxChangePolicy?: string;
}

export interface PodSignature {
  podController?: metaV1.OwnerReference;
}

export interface PodSpec {
  volumes?: Volume[];
  initContainers?: Container[];
  containers: Container[] | null;
  ephemeralContainers?: EphemeralContainer[];
  restartPolicy?: RestartPolicy;
  terminationGracePeriodSeconds?: Int64;
  activeDeadlineSeconds?: Int64;
  dnsPolicy?: DNSPolicy;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: LocalObjectReference[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: HostAlias[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: PodDNSConfig;
  readinessGates?: PodReadinessGate[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: PreemptionPolicy;
  overhead?: Record<string, Quantity>;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: PodOS;
  hostUsers?: boolean;
  schedulingGates?: PodSchedulingGate[];
  resourceClaims?: PodResourceClaim[];
  resources?: ResourceRequirements;
  hostnameOverride?: string;
  schedulingGroup?: PodSchedulingGroup;
  evictionResponders?: EvictionResponder[];
}

export interface PodStatus {
  observedGeneration?: Int64;
  phase?: PodPhase;
  conditions?: PodCondition[];
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: HostIP[];
  podIP?: string;
  podIPs?: PodIP[];
  startTime?: Time;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  qosClass?: PodQOSClass;
  ephemeralContainerStatuses?: ContainerStatus[];
  resize?: string;
  resourceClaimStatuses?: PodResourceClaimStatus[];
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  allocatedResources?: Record<string, Quantity>;
  resources?: ResourceRequirements;
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[];
  volumeHealth?: PodVolumeHealth[];
}

export interface PodTemplate extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  template: PodTemplateSpec;
}

export interface PodTemplateList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: PodTemplate[] | null;
}

export interface PodTemplateSpec {
  metadata: metaV1.ObjectMeta;
  spec: PodSpec;
}

export interface PodVolumeHealth {
  name: string;
  healthConditions?: VolumeHealthCondition[];
  lastTransitionTime: Time | null;
}

export interface PortStatus {
  port: number;
  protocol: Protocol;
  error?: string;
}

export interface PortworxVolumeSource {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
}

export interface Preconditions {
  uid?: string;
}

export interface PreferAvoidPodsEntry {
  podSignature: PodSignature;
  evictionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface PreferredSchedulingTerm {
  weight: number;
  preference: NodeSelectorTerm;
}

export interface Probe extends ProbeHandler {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: Int64;
}

export interface ProbeHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
}

export interface ProjectedVolumeSource {
  sources: VolumeProjection[] | null;
  defaultMode?: number;
  defaultUser?: Int64;
}

export interface QuobyteVolumeSource {
  registry: string;
  volume: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
}

export interface RBDPersistentVolumeSource {
  monitors: string[] | null;
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
}

export interface RBDVolumeSource {
  monitors: string[] | null;
  image: string;
  fsType?: string;
  pool?: string;
  user?: string;
  keyring?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
}

export interface RangeAllocation extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  range: string;
  data: Base64 | null;
}

export interface ReplicationController extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ReplicationControllerSpec;
  status: ReplicationControllerStatus;
}

export interface ReplicationControllerCondition {
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
}

export interface ReplicationControllerList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ReplicationController[] | null;
}

export interface ReplicationControllerSpec {
  replicas?: number;
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec;
}

export interface ReplicationControllerStatus {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: Int64;
  conditions?: ReplicationControllerCondition[];
}

export interface ResourceClaim {
  name: string;
  request?: string;
}

export interface ResourceFieldSelector {
  containerName?: string;
  resource: string;
  divisor: Quantity;
}

export interface ResourceHealth {
  resourceID: string;
  health?: string;
  message?: string;
}

export interface ResourceQuota extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ResourceQuotaSpec;
  status: ResourceQuotaStatus;
}

export interface ResourceQuotaList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ResourceQuota[] | null;
}

export interface ResourceQuotaSpec {
  hard?: Record<string, Quantity>;
  scopes?: ResourceQuotaScope[];
  scopeSelector?: ScopeSelector;
}

export interface ResourceQuotaStatus {
  hard?: Record<string, Quantity>;
  used?: Record<string, Quantity>;
}

export interface ResourceRequirements {
  limits?: Record<string, Quantity>;
  requests?: Record<string, Quantity>;
  claims?: ResourceClaim[];
}

export interface ResourceStatus {
  name: string;
  resources?: ResourceHealth[];
}

export interface SELinuxOptions {
  user?: string;
  role?: string;
  type?: string;
  level?: string;
}

export interface ScaleIOPersistentVolumeSource {
  gateway: string;
  system: string;
  secretRef: SecretReference | null;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}

export interface ScaleIOVolumeSource {
  gateway: string;
  system: string;
  secretRef: LocalObjectReference | null;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  storageMode?: string;
  volumeName?: string;
  fsType?: string;
  readOnly?: boolean;
}

export interface ScopeSelector {
  matchExpressions?: ScopedResourceSelectorRequirement[];
}

export interface ScopedResourceSelectorRequirement {
  scopeName: ResourceQuotaScope;
  operator: ScopeSelectorOperator;
  values?: string[];
}

export interface SeccompProfile {
  type: SeccompProfileType;
  localhostProfile?: string;
}

export interface Secret extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  immutable?: boolean;
  data?: Record<string, Base64>;
  stringData?: Record<string, string>;
  type?: string;
}

export interface SecretEnvSource extends LocalObjectReference {
  optional?: boolean;
}

export interface SecretKeySelector extends LocalObjectReference {
  key: string;
  optional?: boolean;
}

export interface SecretList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Secret[] | null;
}

export interface SecretProjection extends LocalObjectReference {
  items?: KeyToPath[];
  optional?: boolean;
}

export interface SecretReference {
  name?: string;
  namespace?: string;
}

export interface SecretVolumeSource {
  secretName?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  defaultUser?: Int64;
}

export interface SecurityContext {
  capabilities?: Capabilities;
  privileged?: boolean;
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: ProcMountType;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
}

export interface SerializedReference extends metaV1.TypeMeta {
  reference: ObjectReference;
}

export interface Service extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: ServiceSpec;
  status: ServiceStatus;
}

export interface ServiceAccount extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  secrets?: ObjectReference[];
  imagePullSecrets?: LocalObjectReference[];
  automountServiceAccountToken?: boolean;
}

export interface ServiceAccountList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: ServiceAccount[] | null;
}

export interface ServiceAccountTokenProjection {
  audience?: string;
  expirationSeconds?: Int64;
  path: string;
  user?: Int64;
}

export interface ServiceList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: Service[] | null;
}

export interface ServicePort {
  name?: string;
  protocol?: Protocol;
  appProtocol?: string;
  port: number;
  targetPort: IntOrString;
  nodePort?: number;
}

export interface ServiceProxyOptions extends metaV1.TypeMeta {
  path?: string;
}

export interface ServiceSpec {
  ports?: ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  type?: ServiceType;
  externalIPs?: string[];
  sessionAffinity?: ServiceAffinity;
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  externalTrafficPolicy?: ServiceExternalTrafficPolicy;
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: SessionAffinityConfig;
  ipFamilies?: IPFamily[];
  ipFamilyPolicy?: IPFamilyPolicy;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: ServiceInternalTrafficPolicy;
  trafficDistribution?: string;
}

export interface ServiceStatus {
  loadBalancer: LoadBalancerStatus;
  conditions?: metaV1.Condition[];
}

export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig;
}

export interface SleepAction {
  seconds: Int64;
}

export interface StorageOSPersistentVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: ObjectReference;
}

export interface StorageOSVolumeSource {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
}

export interface Sysctl {
  name: string;
  value: string;
}

export interface TCPSocketAction {
  port: IntOrString;
  host?: string;
}

export interface Taint {
  key: string;
  value?: string;
  effect: TaintEffect;
  timeAdded?: Time;
}

export interface Toleration {
  key?: string;
  operator?: TolerationOperator;
  value?: string;
  effect?: TaintEffect;
  tolerationSeconds?: Int64;
}

export interface TopologySelectorLabelRequirement {
  key: string;
  values: string[] | null;
}

export interface TopologySelectorTerm {
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
}

export interface TopologySpreadConstraint {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: UnsatisfiableConstraintAction;
  labelSelector?: metaV1.LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: NodeInclusionPolicy;
  nodeTaintsPolicy?: NodeInclusionPolicy;
  matchLabelKeys?: string[];
}

export interface TypedLocalObjectReference {
  apiGroup: string | null;
  kind: string;
  name: string;
}

export interface TypedObjectReference {
  apiGroup: string | null;
  kind: string;
  name: string;
  namespace?: string;
}

export interface Volume extends VolumeSource {
  name: string;
}

export interface VolumeDevice {
  name: string;
  devicePath: string;
}

export interface VolumeHealthCondition {
  status: VolumeHealthStatusType;
  reason: string;
  message?: string;
}

export interface VolumeHealthStatus {
  healthConditions?: VolumeHealthCondition[];
  lastTransitionTime: Time | null;
}

export interface VolumeMount {
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath: string;
  subPath?: string;
  mountPropagation?: MountPropagationMode;
  subPathExpr?: string;
  bindMountOptions?: string[];
}

export interface VolumeMountStatus {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  volumeStatus?: VolumeStatus;
}

export interface VolumeNodeAffinity {
  required?: NodeSelector;
}

export interface VolumeProjection {
  secret?: SecretProjection;
  downwardAPI?: DownwardAPIProjection;
  configMap?: ConfigMapProjection;
  serviceAccountToken?: ServiceAccountTokenProjection;
  clusterTrustBundle?: ClusterTrustBundleProjection;
  podCertificate?: PodCertificateProjection;
}

export interface VolumeResourceRequirements {
  limits?: Record<string, Quantity>;
  requests?: Record<string, Quantity>;
}

export interface VolumeSource {
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
}

export interface VolumeStatus {
  image?: ImageVolumeStatus;
}

export interface VsphereVirtualDiskVolumeSource {
  volumePath: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
}

export interface WeightedPodAffinityTerm {
  weight: number;
  podAffinityTerm: PodAffinityTerm;
}

export interface WindowsSecurityContextOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}
