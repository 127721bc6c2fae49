// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#ValidateContainerStateTransition
// Upstream: k8s.io/kubernetes/pkg/api/v1/pod/util.go#ContainerShouldRestart
import { forbidden } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import { isRestartableInitContainer } from '../../common/pod-spec/containers.ts';
import type { PodValidationOptions } from '../../common/pod-spec/options.ts';
import type { PodObject } from './pod-object.ts';

/** A container that has ended stays so, unless its policy restarts it. */
export function validateStateTransitions(pod: PodObject, old: PodObject, options: PodValidationOptions, path: FieldPath): FieldError[] {
  const { spec } = old;
  const [next, before] = [pod.status, old.status ?? {}];
  const check = (list: StatusList, mayRestart: (name: string, exitCode: number) => boolean): FieldError[] =>
    checkList(next[list] ?? [], before[list] ?? [], path.child(list), mayRestart);
  const restarts = (containers: readonly core.Container[] | null | undefined) => {
    // of several with the same name the first
    const byName = new Map(containers?.toReversed().map((each) => [each.name, each]));
    return (name: string, exitCode: number) =>
      options.allowContainerRestartPolicyRules
        ? restartsByRules(byName.get(name), exitCode, spec, options)
        : restartsByPod(byName.get(name), exitCode, spec);
  };
  const ephemeral = check('ephemeralContainerStatuses', () => false);
  if (options.allowContainerRestartPolicyRules && options.allowRestartAllContainers && restartsAll(spec)) return ephemeral;
  return [
    ...check('containerStatuses', restarts(spec.containers)),
    ...check('initContainerStatuses', restarts(spec.initContainers)),
    ...ephemeral,
  ];
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses';

function checkList(
  next: readonly core.ContainerStatus[],
  old: readonly core.ContainerStatus[],
  path: FieldPath,
  mayRestart: (name: string, exitCode: number) => boolean,
): FieldError[] {
  const running = new Set(next.filter(({ state }) => state?.terminated === undefined).map(({ name }) => name));
  return old.flatMap(({ name, state }, index) => {
    if (state?.terminated === undefined) return [];
    if (!running.has(name) || mayRestart(name, state.terminated.exitCode)) return [];
    return [forbidden(path.index(index).child('state'), 'may not be transitioned to non-terminated state')];
  });
}

function restartsAll({ containers, initContainers }: core.PodSpec): boolean {
  return [...(containers ?? []), ...(initContainers ?? [])].some(({ restartPolicyRules }) =>
    restartPolicyRules?.some(({ action }) => action === 'RestartAllContainers'),
  );
}

function restartsByPod(container: core.Container | undefined, exitCode: number, { restartPolicy }: core.PodSpec): boolean {
  if (restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0)) return true;
  return container !== undefined && isRestartableInitContainer(container);
}

/** The first rule that fits, else the policy of the container, else that of the pod. */
function restartsByRules(
  container: core.Container | undefined,
  exitCode: number,
  spec: core.PodSpec,
  options: PodValidationOptions,
): boolean {
  if (container === undefined) return false;
  if (container.restartPolicy !== undefined) {
    const action = container.restartPolicyRules?.find((rule) => fits(rule, exitCode))?.action;
    if (action === 'Restart' || (action === 'RestartAllContainers' && options.allowRestartAllContainers)) return true;
  }
  switch (container.restartPolicy ?? spec.restartPolicy) {
    case 'Never':
      return false;
    case 'OnFailure':
      return exitCode !== 0;
    default:
      return true;
  }
}

function fits({ exitCodes }: core.ContainerRestartRule, exitCode: number): boolean {
  if (exitCodes === undefined) return false;
  return (exitCodes.values?.includes(exitCode) ?? false) === (exitCodes.operator === 'In');
}
