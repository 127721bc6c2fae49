package example;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** Takes a Wheelhouse that was started with --wheelhouse-api=snapshots back to an earlier state, for tests. */
final class Wheelhouse {
  private final KubernetesClient client;

  Wheelhouse(KubernetesClient client) {
    this.client = client;
  }

  /** A name for what the server holds now. */
  String snapshot() {
    return (String) client.getKubernetesSerialization().unmarshal(post("snapshot", Map.of()), Map.class).get("id");
  }

  /** Makes what was there then the present again. */
  void restore(String snapshot) {
    post("restore", Map.of("id", snapshot));
  }

  /** Goes back to what was there when the server had become ready. */
  void reset() {
    post("reset", Map.of());
  }

  private String post(String what, Map<String, String> body) {
    return client.raw("/wheelhouse/v1/" + what, "POST", body);
  }
}
