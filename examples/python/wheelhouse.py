"""Takes a Wheelhouse that was started with --wheelhouse-api=snapshots back to an earlier state, for tests."""

import json

from kubernetes import client
from kubernetes.client.exceptions import ApiException


class Wheelhouse:
    def __init__(self, api: client.ApiClient):
        self._api = api

    def snapshot(self) -> str:
        """Returns a name for what the server holds now."""
        return self._post("snapshot")["id"]

    def restore(self, snapshot: str) -> None:
        """Makes what was there then the present again."""
        self._post("restore", {"id": snapshot})

    def reset(self) -> None:
        """Goes back to what was there when the server had become ready."""
        self._post("reset")

    def _post(self, what: str, body: dict | None = None) -> dict:
        request = self._api.param_serialize(
            method="POST",
            resource_path=f"/wheelhouse/v1/{what}",
            header_params={"Content-Type": "application/json", "Accept": "application/json"},
            body=body or {},
            auth_settings=["BearerToken"],
        )
        response = self._api.call_api(*request)
        answer = response.read()
        if response.status >= 300:
            raise ApiException(status=response.status, reason=response.reason, body=answer.decode())
        return json.loads(answer or "{}")
