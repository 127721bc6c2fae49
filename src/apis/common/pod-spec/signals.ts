// Upstream: k8s.io/kubernetes/pkg/apis/core/types.go#Signal
const plain =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ RTMIN RTMAX';
const aboveMinimum = Array.from({ length: 15 }, (_, index) => `RTMIN+${index + 1}`);
const belowMaximum = Array.from({ length: 14 }, (_, index) => `RTMAX-${index + 1}`);

/** Stop signals of each system, sorted as messages list them. */
export const linuxSignals: readonly string[] = [...plain.split(' '), ...aboveMinimum, ...belowMaximum].map((name) => `SIG${name}`).sort();
export const windowsSignals: readonly string[] = ['SIGKILL', 'SIGTERM'];
