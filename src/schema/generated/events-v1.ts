// Made by `npm run generate`; do not edit.
export const eventsV1 = `{"id":"events-v1","package":"io.k8s.api.events.v1","version":"v1","group":"events.k8s.io","kinds":{"Event":"Event","EventList":"EventList"},"lifecycles":{"Event":{"introduced":"1.19"},"EventList":{"introduced":"1.19"}},"enums":{},"types":{
"Event":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ObjectMeta",1,"o",{"go":"ObjectMeta"}],["eventTime","microTime",2,"r"],["series","EventSeries",3,"peo"],["reportingController","string",4,"e"],["reportingInstance","string",5,"e"],["action","string",6,"e"],["reason","string",7,"e"],["regarding","core-v1.ObjectReference",8,"eo"],["related","core-v1.ObjectReference",9,"peo"],["note","string",10,"eo"],["type","string",11,"e"],["deprecatedSource","core-v1.EventSource",12,"eo"],["deprecatedFirstTimestamp","time",13,"eo"],["deprecatedLastTimestamp","time",14,"eo"],["deprecatedCount","int32",15,"eo"]],
"EventList":[["","meta-v1.TypeMeta",0,"i"],["metadata","meta-v1.ListMeta",1,"eo",{"go":"ListMeta"}],["items","[]Event",2,"r"]],
"EventSeries":[["count","int32",1,"r"],["lastObservedTime","microTime",2,"r"]]
}}`;
