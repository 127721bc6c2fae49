// Upstream: k8s.io/kubernetes/pkg/apis/apps/v1/defaults.go#SetDefaults_Deployment
import { defaultPodTemplate } from '../../common/pod-spec/defaults.ts';
import type { DeploymentObject } from './definition.ts';

const REVISION_HISTORY_LIMIT = 10;
const PROGRESS_DEADLINE_SECONDS = 600;
const QUARTER = '25%';

export function defaultDeployment({ spec }: DeploymentObject): void {
  defaultPodTemplate(spec.template);
  spec.replicas ??= 1;
  const strategy = (spec.strategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    const rolling = (strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= QUARTER;
    rolling.maxSurge ??= QUARTER;
  }
  spec.revisionHistoryLimit ??= REVISION_HISTORY_LIMIT;
  spec.progressDeadlineSeconds ??= PROGRESS_DEADLINE_SECONDS;
}
