//! A compose file, or the piece of one: services with `environment` as list or map, `command` as list or text.

use super::Draft;
use super::container::{Container, word_of};
use super::stretch::Stretch;
use super::yaml::Node;
use crate::evidence::detect::Place;
use crate::evidence::fact::{ContainerRun, FlagSource};

/// One draft for each service that runs etcd.
pub fn drafts(place: &Place<'_>, stretch: &Stretch, documents: &[Node]) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for document in documents {
        let services = document.get("services").unwrap_or(document);
        let one = is_service(document).then_some((None, document));
        let many = services.pairs().iter().filter(|(_, s)| is_service(s)).map(|(name, s)| (name.text(), s));
        for (name, service) in one.into_iter().chain(many) {
            drafts.extend(draft(place, stretch, name, service));
        }
    }
    drafts
}

/// Is this a service? `environment` and `env_file` are compose's own words; a manifest's containers stand in a list.
fn is_service(node: &Node) -> bool {
    let has = |key| node.get(key).is_some();
    has("environment") || has("env_file") || (has("image") && (has("command") || has("entrypoint")))
}

fn draft(place: &Place<'_>, stretch: &Stretch, name: Option<&str>, service: &Node) -> Option<Draft> {
    let mut container = Container { image: service.get("image"), ..Container::default() };
    container.commands.extend(service.get("entrypoint"));
    container.commands.extend(service.get("command"));
    if let Some(environment) = service.get("environment") {
        container.assignments.extend(environment.items().iter().filter_map(|item| word_of(stretch, item)));
        container.variables.extend(environment.pairs().iter().map(|(name, value)| (name, Some(value))));
    }
    if let Some(files) = service.get("env_file") {
        let one = files.text().is_some().then_some(files);
        container.elsewhere.extend(one.into_iter().chain(files.items()));
    }
    container.probes.extend(service.get("healthcheck"));
    let mut draft = container.draft(place, stretch, FlagSource::Compose, service)?;
    let mounts = service.get("volumes").map(Node::items).unwrap_or(&[]).iter().filter_map(Node::text);
    draft.set.container = service.get("image").and_then(Node::text).map(|image| {
        Box::new(ContainerRun {
            program: "docker compose".to_owned(),
            name: name.map(str::to_owned),
            image: image.to_owned(),
            options: mounts.flat_map(|mount| ["-v".to_owned(), mount.to_owned()]).collect(),
            entry: Vec::new(),
        })
    });
    Some(draft)
}

#[cfg(test)]
mod tests {
    use crate::evidence::fact::{FlagForm, FlagSource};
    use crate::evidence::flags::testing::read;

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../tests/fixtures/flags/compose/", $name, ".txt"))
        };
    }

    #[test]
    fn variables_as_a_list_and_a_command_as_text() {
        let read = read(fixture!("list"));
        assert_eq!(read.settings(), ["logger=zap", "debug=true", "name=e1", "log-outputs=default"]);
        assert_eq!(read.rows[0][0].3, "ETCD_LOGGER=zap");
        assert_eq!(read.rows[0][3].3, "--log-outputs default");
        assert_eq!((read.rows[0][0].2, read.rows[0][3].2), (FlagForm::Env, FlagForm::CommandLine));
        let set = read.sets()[0];
        assert_eq!((set.source, set.member_name.as_deref()), (FlagSource::Compose, Some("e1")));
        assert_eq!(set.version.as_ref().map(ToString::to_string).as_deref(), Some("3.4.3"));
    }

    #[test]
    fn variables_as_a_map() {
        let read = read(fixture!("map"));
        assert_eq!(read.settings()[..3], ["name=etcd0", "debug=True", "enable-v2=true"]);
        assert_eq!(read.rows[0][2].3, "ETCD_ENABLE_V2: \"true\"");
        assert_eq!(read.settings().len(), 5, "ETCDCTL_API is the client's");
        assert_eq!(read.sets()[0].version.as_ref().map(ToString::to_string).as_deref(), Some("3.5.0-debian-10-r24"));
    }

    #[test]
    fn every_service_is_a_member_and_others_are_none() {
        let text = "services:
  etcd1:
    image: quay.io/coreos/etcd:v3.5.9
    env_file: etcd.env
    command:
      - /usr/local/bin/etcd
      - --name=m1
  etcd2:
    image: quay.io/coreos/etcd:v3.5.9
    command: >
      /usr/local/bin/etcd
      --name m2
      --enable-v2=true
  web:
    image: nginx
    environment:
      ETCD_HOST: etcd1
";
        let read = read(text);
        assert_eq!(read.settings(), ["name=m1", "name=m2", "enable-v2=true"]);
        assert_eq!(read.rows[1][1].3, "--enable-v2=true");
        assert_eq!(read.sets()[0].elsewhere[0].value, "etcd.env");
        assert!(!read.sets()[0].complete && read.sets()[1].complete);
        assert!(read.left.is_empty());
    }
}
