//! Takes a Wheelhouse that was started with --wheelhouse-api=snapshots back to an earlier state, for tests.

use http::Request;
use kube::{Client, Result};
use serde_json::{Value, json};

pub struct Wheelhouse(pub Client);

impl Wheelhouse {
    /// A name for what the server holds now.
    pub async fn snapshot(&self) -> Result<String> {
        let made = self.post("snapshot", json!({})).await?;
        Ok(made["id"].as_str().unwrap_or_default().to_owned())
    }

    /// Makes what was there then the present again.
    pub async fn restore(&self, snapshot: &str) -> Result<()> {
        self.post("restore", json!({ "id": snapshot })).await.map(drop)
    }

    /// Goes back to what was there when the server had become ready.
    pub async fn reset(&self) -> Result<()> {
        self.post("reset", json!({})).await.map(drop)
    }

    async fn post(&self, what: &str, body: Value) -> Result<Value> {
        let request = Request::post(format!("/wheelhouse/v1/{what}"))
            .header("content-type", "application/json")
            .body(body.to_string().into_bytes())
            .map_err(kube::Error::HttpError)?;
        self.0.request(request).await
    }
}
