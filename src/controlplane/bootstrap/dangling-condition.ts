// Upstream: k8s.io/apiserver/pkg/util/flowcontrol/apf_controller.go#presyncFlowSchemaStatus
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** Whether the priority level of a flow schema exists. */
export function danglingCondition(level: string, levels: ReadonlySet<string>): Condition {
  const found = levels.has(level);
  const about = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`;
  return {
    type: 'Dangling',
    status: found ? 'False' : 'True',
    reason: found ? 'Found' : 'NotFound',
    message: `${about} ${found ? 'and it exists' : 'but there is no such object'}`,
  };
}
