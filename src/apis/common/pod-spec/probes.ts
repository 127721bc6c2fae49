// Upstream: k8s.io/kubernetes/pkg/apis/core/validation/validation.go#validateProbe, #validateHandler, #validateLifecycle
import { append } from '../../../machinery/append.ts';
import { forbidden, invalid, required } from '../../../machinery/field.ts';
import type { FieldError, FieldPath } from '../../../machinery/field.ts';
import { checkHttpHeaderName, checkPortName, checkPortNumber } from '../../../machinery/names.ts';
import { typedValue } from '../../../machinery/field.ts';
import type * as core from '../../../schema/types/core-v1.ts';
import type { AnyContainer } from './containers.ts';
import { validateNonNegative } from '../../../machinery/object-meta-validation.ts';
import { problemsOf, validateOneOf, validateRequired } from './rules.ts';
import { linuxSignals, windowsSignals } from './signals.ts';

/** What the rules need to know of the pod around. */
export interface ProbeSurroundings {
  /** undefined: not set, or not valid, which is reported elsewhere */
  readonly gracePeriod: core.PodSpec['terminationGracePeriodSeconds'];
  readonly os: core.PodOS | undefined;
}

type Handler = core.LifecycleHandler & Pick<core.Probe, 'grpc'>;

export function validateProbes(container: AnyContainer, path: FieldPath, around: ProbeSurroundings): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  const errors: FieldError[] = [];
  if (livenessProbe !== undefined) append(errors, validateOnceProbe(livenessProbe, path.child('livenessProbe'), around));
  if (readinessProbe !== undefined) {
    const at = path.child('readinessProbe');
    const { terminationGracePeriodSeconds: seconds } = readinessProbe;
    append(errors, validateProbe(readinessProbe, at, around));
    if (seconds !== undefined) {
      errors.push(invalid(at.child('terminationGracePeriodSeconds'), seconds, 'must not be set for readinessProbes'));
    }
  }
  if (startupProbe !== undefined) append(errors, validateOnceProbe(startupProbe, path.child('startupProbe'), around));
  return errors;
}

/** Of these, one success is enough. */
function validateOnceProbe(probe: core.Probe, path: FieldPath, around: ProbeSurroundings): FieldError[] {
  const errors = validateProbe(probe, path, around);
  const { successThreshold = 0 } = probe;
  if (successThreshold !== 1) errors.push(invalid(path.child('successThreshold'), successThreshold, 'must be 1'));
  return errors;
}

const counts = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const;

function validateProbe(probe: core.Probe, path: FieldPath, { gracePeriod }: ProbeSurroundings): FieldError[] {
  const errors = validateHandler(probe, gracePeriod, path);
  for (const count of counts) {
    const value = probe[count];
    if (value !== undefined && value < 0) append(errors, validateNonNegative(value, path.child(count)));
  }
  const { terminationGracePeriodSeconds: seconds } = probe;
  if (seconds !== undefined && seconds <= 0) {
    errors.push(invalid(path.child('terminationGracePeriodSeconds'), seconds, 'must be greater than 0'));
  }
  return errors;
}

export function validateLifecycle(lifecycle: core.Lifecycle, path: FieldPath, { gracePeriod, os }: ProbeSurroundings): FieldError[] {
  const { postStart, preStop, stopSignal } = lifecycle;
  const errors: FieldError[] = [];
  if (postStart !== undefined) append(errors, validateHandler(postStart, gracePeriod, path.child('postStart')));
  if (preStop !== undefined) append(errors, validateHandler(preStop, gracePeriod, path.child('preStop')));
  if (stopSignal !== undefined) append(errors, validateStopSignal(stopSignal, path.child('stopSignal'), os));
  return errors;
}

function validateStopSignal(signal: string, path: FieldPath, os: core.PodOS | undefined): FieldError[] {
  if (os === undefined) return [forbidden(path, 'may not be set for containers with empty `spec.os.name`')];
  if (os.name === 'windows') return validateOneOf(signal, windowsSignals, path);
  return os.name === 'linux' ? validateOneOf(signal, linuxSignals, path) : [];
}

function validateHandler(handler: Handler, gracePeriod: ProbeSurroundings['gracePeriod'], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const type of handlerTypes) {
    if (handler[type] === undefined) continue;
    if (found) errors.push(forbidden(path.child(type), 'may not specify more than 1 handler type'));
    else append(errors, validateHandlerOf(type, handler, gracePeriod, path.child(type)));
    found = true;
  }
  return found ? errors : [required(path, 'must specify a handler type')];
}

/** In the order in which upstream looks; the first one found is the handler. */
const handlerTypes = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function validateHandlerOf(
  type: (typeof handlerTypes)[number],
  { exec, httpGet, tcpSocket, grpc, sleep }: Handler,
  gracePeriod: ProbeSurroundings['gracePeriod'],
  path: FieldPath,
): FieldError[] {
  switch (type) {
    case 'exec':
      return validateRequired(exec?.command ?? [], path.child('command'));
    case 'httpGet':
      return validateHttpGet(httpGet as core.HTTPGetAction, path);
    case 'tcpSocket':
      return validatePortOrName(tcpSocket?.port ?? 0, path.child('port'));
    case 'grpc':
      return validateGrpc(grpc as core.GRPCAction, path);
    case 'sleep':
      return validateSleep(sleep as core.SleepAction, gracePeriod, path);
  }
}

const schemes = ['HTTP', 'HTTPS'];
const httpProtocols = ['HTTP1', 'HTTP2'];

function validateHttpGet(action: core.HTTPGetAction, path: FieldPath): FieldError[] {
  const { scheme = '', protocol, host = '' } = action;
  const errors = validateRequired(action.path, path.child('path'));
  append(errors, validatePortOrName(action.port, path.child('port')), validateOneOf(scheme, schemes, path.child('scheme')));
  action.httpHeaders?.forEach(({ name }) => append(errors, problemsOf(checkHttpHeaderName(name), name, path.child('httpHeaders'))));
  append(errors, validateOneOf(protocol, httpProtocols, path.child('protocol')));
  if (protocol === 'HTTP2') {
    if (scheme !== 'HTTP') errors.push(invalid(path.child('protocol'), typedValue(protocol), 'is only supported with HTTP (H2C)'));
    else if (host !== '') errors.push(invalid(path.child('host'), host, 'must be empty when `protocol` is "HTTP2"'));
  }
  return errors;
}

export function validatePortOrName(port: number | string, path: FieldPath): FieldError[] {
  return problemsOf(typeof port === 'number' ? checkPortNumber(port) : checkPortName(port), port, path);
}

function validateGrpc({ port, mode }: core.GRPCAction, path: FieldPath): FieldError[] {
  return [...validatePortOrName(port, path.child('port')), ...validateOneOf(mode, ['Plaintext', 'TLS'], path.child('mode'))];
}

function validateSleep({ seconds }: core.SleepAction, gracePeriod: ProbeSurroundings['gracePeriod'], path: FieldPath): FieldError[] {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  return [invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`)];
}
