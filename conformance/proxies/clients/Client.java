// Requests of Java's HttpClient: java Client.java URL HTTP_1_1|HTTP_2. Prints what was sent and what failed, as JSON.
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiPredicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

class Client {
  static final int ROUNDS = 40;
  static final String UPLOAD = "application/x-upload";
  static final String[][] REFUSALS = {
    {"/refused", UPLOAD, "401"}, {"/nowhere", UPLOAD, "404"}, {"/limited", "application/x-buffer", "413"}
  };

  static final TrustManager TRUSTING =
      new X509TrustManager() {
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        public X509Certificate[] getAcceptedIssuers() {
          return new X509Certificate[0];
        }
      };

  static String base;
  static HttpClient client;
  static int sent = 0;
  static final TreeMap<String, Integer> failed = new TreeMap<>();

  static byte[] contentOf(String token, int size) {
    byte[] line = (token + "\n").getBytes(StandardCharsets.UTF_8);
    byte[] content = new byte[size];
    for (int at = 0; at < size; at++) content[at] = line[at % line.length];
    return content;
  }

  static void check(
      String name, String path, int status, BodyPublisher body, String type, BiPredicate<String, byte[]> isRight) {
    sent++;
    String fault = ask(path, status, body, type, isRight);
    if (fault != null) failed.merge(name + ": " + fault, 1, Integer::sum);
  }

  static String ask(String path, int status, BodyPublisher body, String type, BiPredicate<String, byte[]> isRight) {
    String token = UUID.randomUUID().toString();
    try {
      URI uri = URI.create(base + path + (path.contains("?") ? "&" : "?") + "token=" + token);
      HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20));
      if (body != null) request.POST(body).header("Content-Type", type);
      var response = client.send(request.build(), BodyHandlers.ofByteArray());
      String seen = response.headers().firstValue("x-token").orElse(status == 200 ? "" : token);
      if (response.statusCode() != status) return "status " + response.statusCode();
      if (!seen.equals(token)) return "the response of another request";
      return isRight.test(token, response.body()) ? null : "another content";
    } catch (Exception error) {
      return error.toString().replace("\"", "'");
    }
  }

  static BodyPublisher chunked(byte[] content) {
    return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(content));
  }

  static void round(int index) throws Exception {
    int size = 1 + (int) Math.pow(200000, (double) index / ROUNDS);
    BiPredicate<String, byte[]> isWhole = (token, content) -> Arrays.equals(content, contentOf(token, size));
    check("get", "/bytes?size=" + size, 200, null, null, isWhole);
    check("stream", "/stream?size=" + size, 200, null, null, isWhole);
    byte[] body = contentOf("body", size);
    String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    String wanted = "{\"size\":" + size + ",\"hash\":\"" + hash + "\"}";
    BiPredicate<String, byte[]> isHashed = (token, content) -> new String(content).equals(wanted);
    check("upload", "/upload", 200, BodyPublishers.ofByteArray(body), UPLOAD, isHashed);
    check("chunked upload", "/upload", 200, chunked(body), UPLOAD, isHashed);
    byte[] big = new byte[400000];
    for (String[] one : REFUSALS) {
      BodyPublisher refused = index % 2 == 0 ? chunked(big) : BodyPublishers.ofByteArray(big);
      check("refused with " + one[2], one[0], Integer.parseInt(one[2]), refused, one[1], (token, content) -> true);
    }
  }

  public static void main(String[] args) throws Exception {
    base = args[0];
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {TRUSTING}, null);
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.valueOf(args[1]))
            .sslContext(context)
            .connectTimeout(Duration.ofSeconds(20))
            .build();
    for (int index = 0; index < ROUNDS; index++) round(index);
    check(
        "large", "/bytes?size=20000000", 200, null, null,
        (token, content) -> Arrays.equals(content, contentOf(token, 20000000)));
    StringBuilder reasons = new StringBuilder();
    failed.forEach((reason, times) -> reasons.append(reasons.length() == 0 ? "" : ",").append("\"" + reason + "\":" + times));
    System.out.println("{\"sent\":" + sent + ",\"failed\":{" + reasons + "}}");
    System.exit(0);
  }
}
