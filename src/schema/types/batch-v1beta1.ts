// Made by `npm run generate`; do not edit.
import type { Int64, Time } from '../scalars.ts';
import type * as batchV1 from './batch-v1.ts';
import type * as coreV1 from './core-v1.ts';
import type * as metaV1 from './meta-v1.ts';

export interface CronJob extends metaV1.TypeMeta {
  metadata: metaV1.ObjectMeta;
  spec: CronJobSpec;
  status: CronJobStatus;
}

export interface CronJobList extends metaV1.TypeMeta {
  metadata: metaV1.ListMeta;
  items: CronJob[] | null;
}

export interface CronJobSpec {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: Int64;
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate: JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
}

export interface CronJobStatus {
  active?: coreV1.ObjectReference[];
  lastScheduleTime?: Time;
  lastSuccessfulTime?: Time;
}

export interface JobTemplateSpec {
  metadata: metaV1.ObjectMeta;
  spec: batchV1.JobSpec;
}
