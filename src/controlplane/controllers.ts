import type { Controller } from '../controllers/common/controller.ts';
import { validatingAdmissionPolicyStatus } from '../controllers/validating-admission-policy-status/controller.ts';

/** Controllers that can run inside the server. The original has none of them: there they are in kube-controller-manager. */
export const controllers: readonly Controller[] = [validatingAdmissionPolicyStatus];
