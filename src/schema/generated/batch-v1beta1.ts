// Made by `npm run generate`; do not edit.
export const batchV1beta1 = `{"id":"batch-v1beta1","package":"io.k8s.api.batch.v1beta1","version":"v1beta1","group":"batch","kinds":{"CronJob":"CronJob","CronJobList":"CronJobList"},"lifecycles":{"CronJob":{"introduced":"1.8","deprecated":"1.21","replacement":["batch","v1","CronJob"],"removed":"1.25"},"CronJobList":{"introduced":"1.8","deprecated":"1.21","replacement":["batch","v1","CronJobList"],"removed":"1.25"}},"enums":{},"types":{
"CronJob":{"fields":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta"}],["spec","CronJobSpec",2,"er"],["status","CronJobStatus",3,"eo"]],"extra":{"validation":["supportsSubresource=\\"/status\\""]}},
"CronJobList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]CronJob",2,"r"]],
"CronJobSpec":[["schedule","string",1,"r",{"validation":["beta(since: \\"1.37\\")=+k8s:required"]}],["timeZone","string",8,"peo"],["startingDeadlineSeconds","int64",2,"peo"],["concurrencyPolicy","string",3,"eo",{"goType":"v1beta1.ConcurrencyPolicy"}],["suspend","bool",4,"peo"],["jobTemplate","JobTemplateSpec",5,"r"],["successfulJobsHistoryLimit","int32",6,"peo"],["failedJobsHistoryLimit","int32",7,"peo"]],
"CronJobStatus":[["active","[]core-v1.ObjectReference",1,"eo",{"listType":"atomic"}],["lastScheduleTime","time",4,"peo"],["lastSuccessfulTime","time",5,"peo"]],
"JobTemplateSpec":[["metadata","meta-v1.ObjectMeta",1,"eo",{"go":"ObjectMeta","validation":["opaqueType"]}],["spec","batch-v1.JobSpec",2,"eo"]]
}}`;
