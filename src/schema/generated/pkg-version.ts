// Made by `npm run generate`; do not edit.
export const pkgVersion = `{"id":"pkg-version","package":"io.k8s.apimachinery.pkg.version","version":"","group":"","kinds":{},"lifecycles":{},"enums":{},"types":{
"Info":[["major","string",0,"r"],["minor","string",0,"r"],["emulationMajor","string",0,"e"],["emulationMinor","string",0,"e"],["minCompatibilityMajor","string",0,"e"],["minCompatibilityMinor","string",0,"e"],["gitVersion","string",0,"r"],["gitCommit","string",0,"r"],["gitTreeState","string",0,"r"],["buildDate","string",0,"r"],["goVersion","string",0,"r"],["compiler","string",0,"r"],["platform","string",0,"r"]]
}}`;
