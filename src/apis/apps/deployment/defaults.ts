// Upstream: k8s.io/kubernetes/pkg/apis/apps/v1/defaults.go#SetDefaults_Deployment
import { defaultPodTemplate } from '../../common/pod-spec/defaults.ts';
import type { DeploymentObject } from './definition.ts';

const revisionHistoryLimit = 10;
const progressDeadlineSeconds = 600;
const quarter = '25%';

export function defaultDeployment({ spec }: DeploymentObject): void {
  defaultPodTemplate(spec.template);
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const rolling = (strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= quarter;
    rolling.maxSurge ??= quarter;
  }
  spec.revisionHistoryLimit ??= revisionHistoryLimit;
  spec.progressDeadlineSeconds ??= progressDeadlineSeconds;
}
