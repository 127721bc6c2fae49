//! cargo test, with KUBECONFIG of a server that was started by: npx wheelhouse --wheelhouse-api=snapshots

use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::ConfigMap;
use kube::api::{DeleteParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use kube::runtime::{reflector, watcher, WatchStreamExt};
use kube::{Api, Client, ResourceExt};
use serde_json::json;
use tokio::time::{sleep, timeout};
use wheelhouse_example::Wheelhouse;

fn config_map(name: &str, data: serde_json::Value) -> ConfigMap {
    serde_json::from_value(json!({ "metadata": { "name": name }, "data": data })).unwrap()
}

fn data(one: &ConfigMap) -> serde_json::Value {
    json!(one.data)
}

/// One after the other: they share a server.
#[tokio::test]
async fn config_maps() {
    let client = Client::try_default().await.unwrap();
    let wheelhouse = Wheelhouse(client.clone());
    let start = wheelhouse.snapshot().await.unwrap();
    let api: Api<ConfigMap> = Api::namespaced(client, "default");
    create_patch_apply_delete(&api).await;
    wheelhouse.restore(&start).await.unwrap();
    watch(&api).await;
    wheelhouse.restore(&start).await.unwrap();
    informer(&api).await;
    wheelhouse.restore(&start).await.unwrap();
    snapshot_restore_reset(&api, &wheelhouse).await;
}

async fn create_patch_apply_delete(api: &Api<ConfigMap>) {
    let none = PostParams::default();
    api.create(&none, &config_map("one", json!({ "a": "1" }))).await.unwrap();
    let merge = Patch::Merge(json!({ "data": { "b": "2" } }));
    let patched = api.patch("one", &PatchParams::default(), &merge).await.unwrap();
    assert_eq!(data(&patched), json!({ "a": "1", "b": "2" }));
    let apply = Patch::Apply(json!({ "apiVersion": "v1", "kind": "ConfigMap", "data": { "c": "3" } }));
    let applied = api.patch("one", &PatchParams::apply("example"), &apply).await.unwrap();
    assert_eq!(data(&applied), json!({ "a": "1", "b": "2", "c": "3" }));
    assert!(api.create(&none, &config_map("Not A Name", json!({}))).await.is_err());
    api.delete("one", &DeleteParams::default()).await.unwrap();
    assert!(api.get_opt("one").await.unwrap().is_none());
}

async fn watch(api: &Api<ConfigMap>) {
    let listed = api.list(&Default::default()).await.unwrap();
    let version = listed.metadata.resource_version.unwrap();
    api.create(&PostParams::default(), &config_map("seen", json!({}))).await.unwrap();
    api.delete("seen", &DeleteParams::default()).await.unwrap();
    let events = api.watch(&WatchParams::default().timeout(20), &version).await.unwrap().take(2);
    let seen: Vec<String> = events
        .map_ok(|event| match event {
            WatchEvent::Added(one) => format!("added {}", one.name_any()),
            WatchEvent::Deleted(one) => format!("deleted {}", one.name_any()),
            _ => "another event".to_owned(),
        })
        .try_collect()
        .await
        .unwrap();
    assert_eq!(seen, ["added seen", "deleted seen"]);
}

async fn informer(api: &Api<ConfigMap>) {
    let (reader, writer) = reflector::store();
    let changes = watcher(api.clone(), watcher::Config::default()).default_backoff().reflect(writer).touched_objects();
    let following = tokio::spawn(changes.for_each(|_| async {}));
    reader.wait_until_ready().await.unwrap();
    let holds = |expected: bool| {
        let reader = reader.clone();
        timeout(Duration::from_secs(20), async move {
            while reader.state().iter().any(|one| one.name_any() == "informed") != expected {
                sleep(Duration::from_millis(10)).await;
            }
        })
    };
    api.create(&PostParams::default(), &config_map("informed", json!({}))).await.unwrap();
    holds(true).await.expect("the informer sees the creation");
    api.delete("informed", &DeleteParams::default()).await.unwrap();
    holds(false).await.expect("the informer sees the deletion");
    following.abort();
}

async fn snapshot_restore_reset(api: &Api<ConfigMap>, wheelhouse: &Wheelhouse) {
    let none = PostParams::default();
    api.create(&none, &config_map("kept", json!({}))).await.unwrap();
    let snapshot = wheelhouse.snapshot().await.unwrap();
    api.create(&none, &config_map("lost", json!({}))).await.unwrap();
    wheelhouse.restore(&snapshot).await.unwrap();
    assert!(api.get_opt("kept").await.unwrap().is_some());
    assert!(api.get_opt("lost").await.unwrap().is_none());
    wheelhouse.reset().await.unwrap();
    assert!(api.get_opt("kept").await.unwrap().is_none());
}
